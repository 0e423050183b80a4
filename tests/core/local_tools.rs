//! The five local tools, called as an agent calls them: through the registry.

mod files;
mod values;

use crate::common::limit::run;
use mcp_from_scratch::{
    local_tools,
    registry::{Decision, ToolCall, ToolSpec},
    tool::ToolResult,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Calls one tool of a registry whose notes live in `directory`.
fn call_in(directory: &Path, name: &str, arguments: Value) -> ToolResult {
    let registry = local_tools::registry(directory);
    let arguments = arguments.as_object().cloned().expect("an object");
    let call = ToolCall { name: name.into(), arguments };
    let (done, outcome) = std::sync::mpsc::channel();
    run(async move {
        let yes = |_: &ToolSpec, _: &ToolCall| Decision::Allow;
        done.send(registry.execute(call, &yes).await).expect("the test waits");
    });
    outcome.recv().expect("it ran").expect("local tools are never out of reach")
}

/// Calls a tool that touches no file.
fn call(name: &str, arguments: Value) -> ToolResult {
    call_in(Path::new("/nowhere"), name, arguments)
}

/// The text of a result with one block of text.
fn text(outcome: &ToolResult) -> &str {
    assert_eq!(1, outcome.content.len(), "{outcome:?}");
    outcome.content[0]["text"].as_str().expect("a text")
}

/// A directory for notes beside a file that no tool may touch.
struct House {
    root: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a temporary directory");
        std::fs::create_dir(root.path().join("notes")).expect("notes");
        std::fs::write(root.path().join("diary.md"), "mine").expect("diary");
        Self { root }
    }

    fn notes(&self) -> PathBuf {
        self.root.path().join("notes")
    }

    fn write(&self, name: &str, text: &str) -> ToolResult {
        let arguments = serde_json::json!({ "name": name, "text": text });
        call_in(&self.notes(), "write_note", arguments)
    }

    fn delete(&self, name: &str) -> ToolResult {
        let arguments = serde_json::json!({ "name": name });
        call_in(&self.notes(), "delete_file", arguments)
    }

    /// Every path below the root, sorted, with the content of what is a file.
    fn tree(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut open = vec![self.root.path().to_owned()];
        while let Some(directory) = open.pop() {
            for entry in std::fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                let shown =
                    path.strip_prefix(self.root.path()).expect("below the root");
                let shown = shown.display();
                let kind = path.symlink_metadata().expect("an entry").file_type();
                if kind.is_dir() {
                    lines.push(format!("{shown}/"));
                    open.push(path);
                } else if kind.is_file() {
                    let content = std::fs::read_to_string(&path).expect("text");
                    lines.push(format!("{shown}: {content}"));
                } else {
                    lines.push(format!("{shown}: not a file"));
                }
            }
        }
        lines.sort();
        lines
    }

    /// A failure that says `expected` and names no path of this machine.
    #[track_caller]
    fn assert_failed(&self, expected: &str, outcome: &ToolResult) {
        assert_eq!((true, expected), (outcome.is_error, text(outcome)));
        let root = self.root.path().to_str().expect("UTF-8");
        assert!(!text(outcome).contains(root), "{}", text(outcome));
    }
}

#[test]
fn there_are_five_each_with_its_risk() {
    let registry = local_tools::registry("/nowhere");
    let all: Vec<_> =
        registry.specs().map(|spec| format!("{} {}", spec.name(), spec.risk)).collect();
    assert_eq!(
        [
            "get_time auto",
            "get_weather auto",
            "add auto",
            "write_note suggest",
            "delete_file approve",
        ],
        all[..]
    );
}
