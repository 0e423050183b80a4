//! The learner's server on real pipes, as a separate process: this test program,
//! started again.

use super::*;

/// The test that becomes the server in the child process.
const SERVER: &str = "t3_1::on_real_pipes_stdout_carries_frames_only";

/// Ends when the tool `ring` is called.
struct Wait(Arc<Notify>);

impl Tool for Wait {
    fn call(&self, _: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async {
            self.0.notified().await;
            Ok(ToolResult::text("waited"))
        })
    }
}

pub fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let info = |name| ToolInfo::new(name, "", json!({"type": "object"}));
    let bell = Arc::new(Notify::new());
    let wait = (info("wait"), Wait(bell.clone()));
    let ring = from_fn(move |_| {
        bell.notify_one();
        Ok(ToolResult::text("rung"))
    });
    let server = Server::new(Implementation::new("server", "1.0.0"))
        .with(echo())?
        .with(wait)?
        .with((info("ring"), ring))?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(
        async {
            let mode = frame::FramingMode::Auto;
            let pipes = transport::Transport::stdio(mode, transport::silent())?;
            Ok(server.serve(pipes).await?)
        },
    )
}

/// Sends the lines to a server in a separate process. It must write these responses,
/// each once, in any order, and nothing else.
pub fn on_real_pipes(task: &str, rule: &str, lines: &[&str], expected: &[&str]) {
    let input = lines.join("\n") + "\n";
    let rehearsed = input.clone();
    judge(task, rule, move || rehearse(&rehearsed));
    // Not within the time limit of `judge`: the child has its own.
    let output = child::exchange(SERVER, &input);
    let expected = expected.iter().copied().map(Reaction::from).collect();
    judge(task, rule, move || compare(expected, output?).given(input));
}

/// The same without pipes, so that a panic is reported with its place.
fn rehearse(input: &str) -> Verdict {
    let info = |name| ToolInfo::new(name, "", json!({}));
    let mut session = session_of(&["echo", "wait", "ring"].map(info));
    for line in input.lines() {
        let action = session.receive(jsonrpc::parse(line.as_bytes()));
        if let Action::Call { id, .. } = action {
            session.finish(&id, Ok(json!({})));
        }
    }
    Ok(())
}

fn compare(mut expected: Vec<Reaction>, output: Vec<String>) -> Verdict {
    let mut unexpected = Vec::new();
    for line in output {
        let Ok(Message::Response(response)) = jsonrpc::parse(line.as_bytes()) else {
            let line = Reaction(transcript::escape_untrusted(line.as_bytes()));
            let one = "one JSON-RPC response per line, and nothing else";
            return holds(false, one, line).likely(
                "stdout carries frames only; print with `eprintln!`, not `println!`",
            );
        };
        let response = Reaction::from(&response);
        match expected.iter().position(|one| *one == response) {
            Some(at) => drop(expected.remove(at)),
            None => unexpected.push(response),
        }
    }
    // Calls end in any order; the report of one mistake is always the same.
    if let Some(response) = unexpected.into_iter().min_by(|a, b| a.0.cmp(&b.0)) {
        return is_unexpected(&expected, response);
    }
    holds(expected.is_empty(), list(&expected), Reaction::from("the end of stdout"))
        .likely("a request got no response; its client waits")
}

fn is_unexpected(expected: &[Reaction], response: Reaction) -> Verdict {
    let id = response.0.split_inclusive(": ").next().unwrap_or_default();
    match expected.iter().find(|one| one.0.starts_with(id)) {
        Some(other) => holds(false, &other.0, response)
            .likely("the id is right, the content is not; see the tests without pipes"),
        None => holds(false, list(expected), response).likely(
            "no request expects it: a wrong id, a second response, or a response to a \
             notification",
        ),
    }
}

fn list(reactions: &[Reaction]) -> String {
    if reactions.is_empty() {
        return "no more responses".into();
    }
    reactions.iter().map(|one| one.0.as_str()).collect::<Vec<_>>().join("\n")
}
