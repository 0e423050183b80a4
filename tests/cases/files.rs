//! Names for the local tools that touch files: what is refused, and that nothing
//! outside their directory changes.

use crate::pattern::check;
use mcp_from_scratch::{
    local_tools,
    registry::{Decision, ToolCall, ToolSpec},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{fs, path::Path, process::Command};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// A shell script, run beside the directory `notes`.
    prepare: String,
    calls: Vec<Call>,
    /// Files, by their path from there, and what they hold in the end; null for none.
    after: Vec<(String, Option<String>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    name: String,
    /// A pattern for the text of its outcome.
    says: Value,
    fails: bool,
}

impl Run {
    pub async fn check(&self) {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path();
        let prepared =
            Command::new("sh").args(["-ec", &self.prepare]).current_dir(root).status();
        assert!(prepared.expect("sh starts").success());
        let registry = local_tools::registry(root.join("notes"));
        let yes = |_: &ToolSpec, _: &ToolCall| Decision::Allow;
        for Call { tool, name, says, fails } in &self.calls {
            // A path of this machine is only known now.
            let full = name.replace("ROOT", &root.to_string_lossy());
            let mut arguments = Map::from_iter([("name".into(), full.into())]);
            if tool == "write_note" {
                arguments.insert("text".into(), "new".into());
            }
            let call = ToolCall { name: tool.clone(), arguments };
            let outcome = registry.execute(call, &yes).await.expect("data");
            let wanted = json!({"text": says, "fails": fails});
            let text = &outcome.content[0]["text"];
            let path = root.to_string_lossy();
            assert!(!text.to_string().contains(&*path), "{name}: it tells its path");
            let came = json!({"text": text, "fails": outcome.is_error});
            check(&wanted, &came).unwrap_or_else(|why| panic!("{tool} {name}: {why}"));
        }
        for (path, text) in &self.after {
            assert_eq!(*text, content(&root.join(path)), "{path}");
        }
    }
}

fn content(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}
