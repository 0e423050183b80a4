//! Reading and writing whole files, with the path in every error.

use anyhow::{Context, Result};
use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file, and the folders above it.
pub fn write(path: &Path, text: &str) -> Result<()> {
    make_folder_of(path)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn make_folder_of(path: &Path) -> Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make {}", folder.display()))
}

/// A file that is opened before its content is computed, so that an impossible path
/// costs no work. Its old content stays until then.
pub struct Opened {
    path: PathBuf,
    file: File,
}

impl Opened {
    pub fn open(path: &Path) -> Result<Self> {
        make_folder_of(path)?;
        let mut options = File::options();
        let file = options.write(true).create(true).truncate(false).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path: path.into(), file })
    }

    pub fn write(mut self, text: &str) -> Result<()> {
        let is_file = self.file.metadata().is_ok_and(|data| data.is_file());
        let emptied = if is_file { self.file.set_len(0) } else { Ok(()) }; // no pipe
        emptied
            .and_then(|()| self.file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// All files below a folder, by their path from it, sorted; none if the folder does not
/// exist. Links are not followed.
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
