//! Which peers are installed, and where.

use libtest_mimic::{Completion, Trial};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// What `peers/install` installs in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packages {
    Npm,
    Python,
    Rust,
}

impl Packages {
    /// The list that they are installed from, and their directory.
    fn places(self) -> (&'static str, &'static str) {
        match self {
            Self::Npm => ("package-lock.json", "node_modules"),
            Self::Python => ("requirements.txt", "venv"),
            Self::Rust => ("rmcp/Cargo.lock", "target"),
        }
    }

    /// Why no test can use them; `None` if they are installed.
    fn missing(self) -> Option<String> {
        let (list, directory) = self.places();
        let wanted = fs::read(path(list)).expect("the list is in the repository");
        match fs::read(path(directory).join(".installed-from")) {
            Ok(list) if list == wanted => None,
            Ok(_) => Some(format!("peers/{directory} has other versions")),
            Err(_) => Some(format!("peers/{directory} is missing")),
        }
    }
}

/// A test that needs packages. Without them it is skipped, with the reason; where
/// `MCP_PEERS` is set, as in CI, that is a failure.
pub fn trial(
    name: String,
    packages: Packages,
    body: impl FnOnce() + Send + 'static,
) -> Trial {
    let is_required = env::var_os("MCP_PEERS").is_some_and(|value| value != "0");
    Trial::ignorable_test(name, move || match packages.missing() {
        Some(reason) if is_required => {
            Err(format!("MCP_PEERS is set, and {reason}").into())
        }
        Some(reason) => {
            Ok(Completion::ignored_with(format!("{reason}: run peers/install")))
        }
        None => {
            body();
            Ok(Completion::Completed)
        }
    })
}

/// A path below `peers/`, for a test of the root package or of a member.
pub fn path(below: &str) -> PathBuf {
    let roots = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut peers = roots.map(|root| root.join("peers"));
    peers.find(|it| it.is_dir()).expect("peers/ is in the repository").join(below)
}

/// A program and its arguments. Words with a `/` are paths below `peers/`.
pub fn command(words: &[&str]) -> Vec<String> {
    let word = |word: &&str| match word.contains('/') {
        true => path(word).display().to_string(),
        false => (*word).to_owned(),
    };
    words.iter().map(word).collect()
}
