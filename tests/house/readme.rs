//! What the READMEs show is what the programs do.

use crate::source::read;

const READMES: [&str; 2] = ["README.md", "README.zh-CN.md"];

/// The first fenced block of a kind, without its fences.
fn block<'a>(markdown: &'a str, kind: &str) -> Option<&'a str> {
    let (_, rest) = markdown.split_once(&format!("\n```{kind}\n"))?;
    rest.split_once("```").map(|(block, _)| block)
}

/// The programs that a text names in commands.
fn programs(markdown: &str) -> Vec<&str> {
    let after = markdown.split("--bin ").skip(1);
    after.filter_map(|text| text.split([' ', '`', '\n']).next()).collect()
}

#[test]
fn the_transcript_in_a_readme_is_what_the_last_stage_prints() {
    let transcript = read("chapters/06-full-demo/transcript.txt");
    for readme in READMES {
        assert_eq!(Some(transcript.as_str()), block(&read(readme), "text"), "{readme}");
    }
}

#[test]
fn the_first_commands_in_a_readme_are_the_two_that_are_all_the_set_up() {
    let commands = "$ cargo run --bin 06-full-demo\n$ cargo test\n";
    for readme in READMES {
        assert_eq!(Some(commands), block(&read(readme), "console"), "{readme}");
    }
}

#[test]
fn every_program_in_a_readme_exists() {
    let manifest = read("Cargo.toml");
    for readme in READMES {
        let text = read(readme);
        assert!(programs(&text).len() > 3, "{readme} names programs");
        for program in programs(&text) {
            let target = format!("name = \"{program}\"");
            assert!(manifest.contains(&target), "{readme}: {program}");
        }
    }
}

#[test]
fn the_rust_version_in_a_readme_is_the_manifests() {
    let manifest = read("Cargo.toml");
    let line = manifest.lines().find_map(|l| l.strip_prefix("rust-version = "));
    let version = line.expect("a rust-version").trim_matches('"');
    for readme in READMES {
        let wanted = format!("[Rust](https://rustup.rs) {version} ");
        assert!(read(readme).contains(&wanted), "{readme}: {wanted}");
    }
}

#[test]
fn both_readmes_have_the_same_sections_tables_and_blocks() {
    let shape = |text: &str| {
        let marks = text.lines().filter_map(|line| {
            let mark =
                ["## ", "### ", "```", "|"].into_iter().find(|m| line.starts_with(m));
            mark.map(str::to_owned)
        });
        marks.collect::<Vec<_>>()
    };
    assert_eq!(shape(&read(READMES[0])), shape(&read(READMES[1])));
}

#[test]
fn blocks_and_programs_are_found() {
    let text =
        "a\n```text\none\n```\n```text\ntwo\n```\n`cargo run --bin x -- --bin y`\n";
    assert_eq!(Some("one\n"), block(text, "text"));
    assert_eq!(None, block(text, "json"));
    assert_eq!(["x", "y"], programs(text)[..]);
}
