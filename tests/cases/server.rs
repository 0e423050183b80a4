//! Input for a server: what it answers, and that it answers nothing else.

use crate::{
    common::serving::{Offering, bodies, server, talk_in_chunks, tool},
    data::{Framings, Piece, framing},
    pattern::{check, check_all},
};
use mcp_from_scratch::{
    frame::{Framing, FramingMode},
    server::Server,
    tool::{Arguments, ToolResult, echo},
};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Each is a line, or the body of one frame.
    #[serde(default)]
    lines: Vec<Piece>,
    /// The whole input, where line ends matter.
    bytes: Option<Piece>,
    #[serde(default)]
    framing: Framings,
    /// The framing that the server insists on, if it does.
    #[serde(default, deserialize_with = "framing")]
    expects: Option<Framing>,
    /// Patterns, in any order. There is no other answer.
    answers: Vec<Value>,
    /// Ids of responses that come in this order.
    #[serde(default)]
    order: Vec<Value>,
    /// What the server ends with, if that is not a clean end.
    fails: Option<String>,
    /// It calls tools that the course's own server does not have.
    #[serde(default)]
    tools: bool,
}

impl Run {
    fn input(&self, framing: Framing) -> Vec<u8> {
        match &self.bytes {
            Some(bytes) => bytes.bytes(),
            None => {
                self.lines.iter().flat_map(|l| framing.encode(&l.bytes())).collect()
            }
        }
    }

    /// A server in this process, whole and one byte at a time, side by side.
    pub async fn in_memory(&self) {
        let mut runs = tokio::task::JoinSet::new();
        for framing in self.framing.each() {
            for chunk in [64 * 1024, 1] {
                let expects = self.expects.map_or(FramingMode::Auto, Into::into);
                for mode in [expects, self.expects.unwrap_or(*framing).into()] {
                    let (run, framing) = (self.clone(), *framing);
                    runs.spawn(async move {
                        let input = run.input(framing);
                        let (output, end) =
                            talk_in_chunks(tools(), mode, &input, chunk).await;
                        let how = format!("{framing}, {chunk} bytes a read");
                        let end = end.err().map(|error| error.to_string());
                        run.check(&how, framing, &output, end);
                    });
                }
            }
        }
        while let Some(done) = runs.join_next().await {
            done.unwrap_or_else(|failed| {
                std::panic::resume_unwind(failed.into_panic())
            });
        }
    }

    /// A real process: `command`, whose input and output are pipes.
    pub fn as_child(&self, command: impl Fn(bool) -> assert_cmd::Command) {
        for framing in self.framing.each() {
            let mut server = command(self.tools);
            if let Some(expects) = self.expects {
                server.args(["--framing", &expects.to_string()]);
            }
            server.write_stdin(self.input(*framing)).timeout(Duration::from_secs(20));
            let ended = server.output().expect("the server runs");
            let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
            let wanted = if self.fails.is_some() { 1 } else { 0 };
            assert_eq!(Some(wanted), ended.status.code(), "{framing}: {stderr}");
            let heading: &[u8] = if self.tools { super::child::HEADING } else { b"" };
            let output = ended.stdout.strip_prefix(heading).expect("the heading");
            let end = self.fails.as_ref().map(|_| stderr);
            self.check(&format!("{framing}, a process"), *framing, output, end);
        }
    }

    #[track_caller]
    fn check(&self, how: &str, framing: Framing, output: &[u8], end: Option<String>) {
        let json = |body: &String| serde_json::from_str(body).expect("JSON");
        let answers: Vec<Value> = bodies(framing, output).iter().map(json).collect();
        check_all(&self.answers, &answers).unwrap_or_else(|why| panic!("{how}: {why}"));
        let place = |id: &Value| answers.iter().position(|answer| answer["id"] == *id);
        let places: Vec<_> = self.order.iter().map(place).collect();
        assert!(places.is_sorted() && !places.contains(&None), "{how}: {answers:#?}");
        let wanted = self.fails.clone().map_or(Value::Null, Value::from);
        let end = end.map_or(Value::Null, Value::from);
        check(&wanted, &end).unwrap_or_else(|why| panic!("{how}: the end: {why}"));
    }
}

/// The tools that the cases name.
pub fn tools() -> Server {
    server()
        .offering(echo())
        .offering(tool("slow", |arguments| async move {
            let ms = match arguments.required("ms") {
                Ok(ms) => ms,
                Err(failure) => return failure.into(),
            };
            tokio::time::sleep(Duration::from_millis(ms)).await;
            ToolResult::text("slept")
        }))
        .offering(tool("ping_tool", |_| async { ToolResult::text("pong") }))
        .offering(tool(
            "add_seconds",
            |arguments| async move { add_seconds(&arguments) },
        ))
        .offering(tool("cut", |arguments| async move { cut(&arguments) }))
        .offering(tool("run_cat", |_| async { run_cat().await }))
        .offering(tool("number_that_is_none", |_| async {
            let structured = Some(serde_json::json!({ "number": f64::NAN }));
            ToolResult { structured, ..ToolResult::default() }
        }))
}

/// Panics where the clock ends.
fn add_seconds(arguments: &Arguments) -> ToolResult {
    let n: u64 = arguments.required("n").expect("a number");
    let later = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(n);
    ToolResult::text(&format!("{later:?}"))
}

/// Panics inside a character.
fn cut(arguments: &Arguments) -> ToolResult {
    let text: String = arguments.required("text").expect("a text");
    let at: usize = arguments.required("at").expect("a number");
    ToolResult::text(&text[..at])
}

/// As a tool must start a program: with separate streams.
async fn run_cat() -> ToolResult {
    let cat = tokio::process::Command::new("sh")
        .args(["-c", "echo from a child; echo aside >&2; cat"])
        .stdin(std::process::Stdio::null())
        .output()
        .await;
    ToolResult::text(&String::from_utf8_lossy(&cat.expect("sh starts").stdout))
}
