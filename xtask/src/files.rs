//! Reading and writing whole files, with the path in every error.

use anyhow::{Context, Result};
use std::{fs, path::Path};

pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file, and the folders above it.
pub fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// All files below a folder, by their path from it, sorted; none if there is no folder.
/// Links are not followed.
pub fn below(folder: &Path) -> Result<Vec<String>> {
    let (mut files, mut open) = (Vec::new(), vec![String::new()]);
    while let Some(inner) = open.pop() {
        let path = folder.join(&inner);
        if !path.exists() {
            continue;
        }
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if inner.is_empty() { name } else { format!("{inner}/{name}") };
            if entry.file_type()?.is_dir() {
                open.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
