//! Says where you stand. It fails until something is written, so that `cargo test
//! -p exercises` stops here, and not in the middle of sixty failures.

use exercises::standing::standing;
use std::{path::Path, process::ExitCode};

fn main() -> ExitCode {
    if cfg!(feature = "reference") {
        return ExitCode::SUCCESS;
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (text, begun) = standing(&sources);
    println!("\n{text}");
    if begun { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
