//! Every command that a reader is shown exists, and is run: here, or at a place that is
//! named here.

use crate::{
    pages::{blocks, pages},
    source::read,
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The stages, as the reader starts them and as they were built for this test.
const STAGES: [(&str, &str); 7] = [
    ("01-jsonrpc-codec", env!("CARGO_BIN_EXE_01-jsonrpc-codec")),
    ("02-frames", env!("CARGO_BIN_EXE_02-frames")),
    ("03-echo-server", env!("CARGO_BIN_EXE_03-echo-server")),
    ("04-client-lifecycle", env!("CARGO_BIN_EXE_04-client-lifecycle")),
    ("05-registry-bridge", env!("CARGO_BIN_EXE_05-registry-bridge")),
    ("06-full-demo", env!("CARGO_BIN_EXE_06-full-demo")),
    ("07-failure-lab", env!("CARGO_BIN_EXE_07-failure-lab")),
];

const EXAMPLE: &str = "target/debug/examples/two_tools";

/// Commands that end in failure, because that is what they are to show.
const FAIL: [&str; 2] = [
    "cargo run --bin 04-client-lifecycle -- --call random_number '[1,6]' -- \
     target/debug/examples/two_tools",
    "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' | \
     cargo run --quiet --bin 03-echo-server -- --framing content-length",
];

/// Commands that are run elsewhere: a part of each, the file that runs it, and the words
/// by which it is found there. The first that fits counts.
const ELSEWHERE: [(&str, &str, &str); 11] = [
    (
        "cargo run -p mcp-check -- -- python3",
        "mcp-check/tests/peers.rs",
        "\"py/server.py\"",
    ),
    ("cargo run -p mcp-check", ".ci/run", "cargo run -p mcp-check -- -- target/debug"),
    ("cargo test -p exercises", ".ci/run", "cargo test -p exercises"),
    ("cargo test", ".ci/run", "cargo test --workspace"),
    ("cargo xtask start", "xtask/tests/start.rs", "arg(\"start\")"),
    ("cargo xtask grade", "xtask/tests/grade.rs", "args([\"grade\","),
    ("cargo build --release --bin", ".ci/run", "cargo build --workspace --bins"),
    ("cargo build --bin", ".ci/run", "cargo build --workspace --bins"),
    ("cargo build --example", "tests/core/two_tools.rs", "examples/two_tools.rs"),
    ("-- python3 my_server.py", "tests/peers/small_servers.rs", "\"py/server.py\""),
    ("server-everything stdio", "tests/peers/reference.rs", "server-everything"),
];

/// The commands after `$ ` in the console blocks of a page: a line that ends in `\`
/// continues, a comment is dropped.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for block in blocks(page).into_iter().filter(|block| block.kind == "console") {
        let text = block.lines.join("\n").replace("\\\n", " ");
        for line in text.lines() {
            let Some(command) = line.trim_start().strip_prefix("$ ") else { continue };
            let end = command.find(" # ").unwrap_or(command.len());
            let words: Vec<_> =
                command[..end].split(' ').filter(|w| !w.is_empty()).collect();
            commands.push(words.join(" "));
        }
    }
    commands
}

fn all_commands() -> BTreeSet<String> {
    let pages = pages().into_iter().map(|page| page.text);
    let others = ["README.md", "README.zh-CN.md", "mcp-check/README.md"].map(read);
    pages.chain(others).flat_map(|text| commands(&text)).collect()
}

/// The command with every stage's program by its path, and nothing left for cargo to
/// build; `None` if it needs something that is not here.
fn runnable(command: &str) -> Option<String> {
    let mut line = command.to_owned();
    // Names first and paths last, or a name inside a path would be replaced again.
    for (number, (name, _)) in STAGES.iter().enumerate() {
        let mark = format!("\u{1}{number}\u{1} ");
        for start in ["cargo run --quiet --bin ", "cargo run --bin "] {
            line = line.replace(&format!("{start}{name} -- "), &mark);
            line = line.replace(&format!("{start}{name}"), &mark);
        }
        line = line.replace(&format!("target/debug/{name}"), &mark);
    }
    line = line.replace(EXAMPLE, "\u{1}example\u{1} ");
    let foreign = ["cargo", "npx", "python3", "node"];
    let needs = line.split(' ').any(|word| foreign.contains(&word));
    if line == command || needs {
        return None;
    }
    for (number, (_, path)) in STAGES.iter().enumerate() {
        line = line.replace(&format!("\u{1}{number}\u{1} "), &format!("'{path}' "));
    }
    Some(line.replace("\u{1}example\u{1} ", &format!("'{}' ", example().display())))
}

/// The example is beside the stages. `cargo test` has built it; `cargo test --test
/// book` has not.
fn example() -> PathBuf {
    let example = Path::new(STAGES[0].1).with_file_name("examples/two_tools");
    if !example.exists() {
        let target = example.ancestors().nth(3).expect("TARGET/PROFILE/examples/NAME");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--example", "two_tools", "--target-dir"])
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(
            built.is_ok_and(|status| status.success()),
            "the example does not build"
        );
    }
    example
}

#[cfg(unix)]
#[test]
fn every_command_of_a_stage_runs() {
    let mut wrong = Vec::new();
    for command in all_commands() {
        let Some(line) = runnable(&command) else { continue };
        let folder = tempfile::tempdir().expect("a directory");
        let ran = Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        if ran.status.success() == FAIL.contains(&command.as_str()) {
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            wrong.push(format!("{command}: {}: {said}", ran.status));
        }
    }
    assert_eq!(Vec::<String>::new(), wrong);
}

#[test]
fn every_other_command_is_run_where_it_is_said() {
    let mut unknown = Vec::new();
    for command in all_commands() {
        if runnable(&command).is_some() {
            continue;
        }
        let known = ELSEWHERE.iter().find(|(part, ..)| command.contains(part));
        match known {
            Some((_, file, words)) => {
                assert!(read(file).contains(words), "{command}: {file}, {words}");
            }
            None => unknown.push(command),
        }
    }
    assert_eq!(Vec::<String>::new(), unknown, "run by no test");
    let shown = all_commands();
    for (part, ..) in ELSEWHERE {
        let used = shown.iter().any(|command| command.contains(part));
        assert!(used, "`{part}` is shown nowhere");
    }
}

#[test]
fn commands_are_found_and_made_runnable() {
    let page = "```console\n$ cargo run --bin 02-frames  # frames\nout\n```\n$ no\n";
    assert_eq!(["cargo run --bin 02-frames"], commands(page)[..]);
    let frames = STAGES[1].1;
    assert_eq!(
        Some(format!("'{frames}' --help")),
        runnable("cargo run --bin 02-frames -- --help")
    );
    for other in ["cargo test", "cargo run --bin 06-full-demo -- -- npx -y x", "ls"] {
        assert_eq!(None, runnable(other), "{other}");
    }
}
