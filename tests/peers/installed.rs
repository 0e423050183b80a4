//! Which peers are there, and where.

use std::{fs, path::PathBuf};

/// What `peers/install` installs in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packages {
    Npm,
    Python,
    Rust,
}

impl Packages {
    pub const ALL: [Self; 3] = [Self::Npm, Self::Python, Self::Rust];

    /// The list that they are installed from, and the folder that they are in.
    fn places(self) -> (&'static str, &'static str) {
        match self {
            Self::Npm => ("package-lock.json", "node_modules"),
            Self::Python => ("requirements.txt", "venv"),
            Self::Rust => ("rmcp/Cargo.lock", "target"),
        }
    }

    /// Why nothing can be tested with them, if it cannot.
    pub fn missing(self) -> Option<String> {
        let (list, folder) = self.places();
        let wanted = fs::read(path(list)).expect("the list is in the repository");
        match fs::read(path(folder).join(".installed-from")) {
            Ok(list) if list == wanted => None,
            Ok(_) => Some(format!("peers/{folder} holds other versions")),
            Err(_) => Some(format!("peers/{folder} is not there")),
        }
    }
}

/// A path below `peers/`.
pub fn path(below: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/peers")).join(below)
}

/// A program and its arguments. Words with a `/` are paths below `peers/`.
pub fn command(words: &[&str]) -> Vec<String> {
    let word = |word: &&str| match word.contains('/') {
        true => path(word).display().to_string(),
        false => (*word).to_owned(),
    };
    words.iter().map(word).collect()
}
