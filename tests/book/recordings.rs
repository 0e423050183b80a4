//! A recording is made to be shown.

use crate::pages::{includes, pages};
use std::{collections::BTreeSet, fs, path::Path};

const FOLDER: &str = "book/src/recordings";

#[test]
fn every_recording_is_on_a_page() {
    let pages = pages();
    let mut shown: BTreeSet<_> =
        pages.iter().flat_map(includes).map(|include| include.path).collect();
    shown.retain(|path| path.starts_with(FOLDER));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let names = fs::read_dir(folder).expect("recordings").flatten().map(|file| {
        let name = file.file_name().into_string().expect("UTF-8");
        format!("{FOLDER}/{name}")
    });
    assert_eq!(shown, names.collect::<BTreeSet<_>>());
}
