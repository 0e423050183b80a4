//! The wire as a stage prints it, and a server that is a shell script.

#![allow(dead_code)] // Each test target uses a part of this.

use assert_cmd::Command;
use serde_json::Value;

/// What a stage printed.
pub struct Printed {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

pub fn run(stage: &mut Command) -> Printed {
    let output = stage.output().expect("the stage runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    Printed { stdout, stderr, code: output.status.code() }
}

impl Printed {
    /// The bodies of all frames, parsed, with `true` for those that were sent.
    pub fn frames(&self) -> Vec<(bool, Value)> {
        let frame = |line: &str| {
            let (label, body) = line.trim_start().split_once("] ")?;
            let sent = match label {
                "[mcp:send" => true,
                "[mcp:receive" => false,
                _ => return None,
            };
            Some((sent, serde_json::from_str(body.trim_start()).expect("JSON")))
        };
        self.stdout.lines().filter_map(frame).collect()
    }

    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }

    /// One line says what failed. Before it a server may have said something.
    #[track_caller]
    pub fn assert_failed(&self, code: i32, error: &str) {
        assert_eq!(Some(code), self.code, "{}", self.stderr);
        let is_error = |line: &&str| line.starts_with("error: ");
        let errors: Vec<_> = self.stderr.lines().filter(is_error).collect();
        assert_eq!([error], errors[..]);
        assert_eq!(Some(error), self.stderr.lines().last());
    }
}

/// The arguments after which a stage talks to a shell script: one that shakes hands,
/// lists `tools` (a JSON array), and then does `last` when it has read one line more.
pub fn shell(tools: &str, last: &str) -> [String; 4] {
    let script = format!(
        r#"read line
echo '{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-06-18","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"sh","version":"0"}}}}}}'
read line; read line
echo '{{"jsonrpc":"2.0","id":2,"result":{{"tools":{tools}}}}}'
read line || exit 0
{last}
"#
    );
    ["--".into(), "sh".into(), "-c".into(), script]
}
