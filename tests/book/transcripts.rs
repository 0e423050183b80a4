//! A line that looks printed was printed: it is in a transcript that a stage's test
//! compares.

use crate::pages::{Page, blocks, includes, pages};
use std::{collections::BTreeSet, fs, path::Path};

/// By these a line of a transcript is known.
const MARKS: [&str; 6] =
    ["[mcp:send]", "[mcp:receive]", "  · ", "--- ", "    - ", "! "];

/// All lines that the stages print.
fn printed() -> BTreeSet<String> {
    let chapters = Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters");
    let mut lines = BTreeSet::new();
    for chapter in fs::read_dir(chapters).expect("chapters").flatten() {
        if !chapter.path().is_dir() {
            continue;
        }
        for file in fs::read_dir(chapter.path()).expect("a chapter").flatten() {
            if file.path().extension().is_some_and(|extension| extension == "txt") {
                let text = fs::read_to_string(file.path()).expect("a transcript");
                lines.extend(text.lines().map(|line| line.trim().to_owned()));
            }
        }
    }
    lines
}

/// Lines of a page that look printed and were not. `…` stands for a part left out.
fn invented(page: &Page, printed: &BTreeSet<String>) -> Vec<String> {
    let blocks = blocks(&page.text);
    let lines = blocks.iter().flat_map(|block| &block.lines);
    let looks = lines.filter(|line| MARKS.iter().any(|mark| line.contains(mark)));
    let was = |line: &&&str| {
        let line = line.trim();
        printed.contains(line)
            || line.split_once('…').is_some_and(|(start, end)| {
                let fits = |l: &String| l.starts_with(start) && l.ends_with(end);
                printed.iter().any(fits)
            })
    };
    looks
        .filter(|line| !was(line))
        .map(|line| format!("{}: {line}", page.path))
        .collect()
}

#[test]
fn what_looks_printed_was_printed() {
    let printed = printed();
    let wrong: Vec<_> =
        pages().iter().flat_map(|page| invented(page, &printed)).collect();
    assert_eq!(Vec::<String>::new(), wrong);
}

/// Each stage's transcript is in the book, whole.
#[test]
fn every_transcript_is_included() {
    let pages = pages();
    let included: BTreeSet<_> =
        pages.iter().flat_map(includes).map(|include| include.path).collect();
    for file in transcript_files() {
        assert!(included.contains(&file), "{file} is on no page");
    }
}

fn transcript_files() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chapters = fs::read_dir(root.join("chapters")).expect("chapters").flatten();
    let mut files = Vec::new();
    for chapter in chapters.filter(|chapter| chapter.path().is_dir()) {
        let folder = chapter.file_name().into_string().expect("UTF-8");
        for file in fs::read_dir(chapter.path()).expect("a chapter").flatten() {
            let name = file.file_name().into_string().expect("UTF-8");
            // The lab's whole transcript is the others, one after the other.
            let is_sum = folder == "07-failure-lab" && name == "transcript.txt";
            if name.starts_with("transcript") && !is_sum {
                files.push(format!("chapters/{folder}/{name}"));
            }
        }
    }
    assert!(files.len() > 6, "there are transcripts");
    files
}

#[test]
fn an_invented_line_is_found() {
    let printed =
        BTreeSet::from([r#"[mcp:send]    {"id":1,"method":"ping"}"#.to_owned()]);
    let page = |text: &str| Page { path: "p".into(), text: text.into() };
    for fine in [
        "```text\n  [mcp:send]    {\"id\":1,\"method\":\"ping\"}\n```",
        "```text\n[mcp:send]    {\"id\":1,…}\n```",
        "[mcp:send] in a sentence",
    ] {
        assert_eq!(Vec::<String>::new(), invented(&page(fine), &printed), "{fine}");
    }
    let bad = page("```text\n[mcp:send]    {\"id\":2}\n```");
    assert_eq!(["p: [mcp:send]    {\"id\":2}"], invented(&bad, &printed)[..]);
}
