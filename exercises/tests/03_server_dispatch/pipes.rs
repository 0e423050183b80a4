//! On real pipes: this test program, started again, is the server.

use super::*;

/// The test whose first line makes it the server.
const SERVER: &str = "t3_1::on_real_pipes_stdout_carries_frames_only";

/// Sends the lines to a server process, and expects these responses, each once,
/// in any order, and nothing else on its stdout.
pub fn on_real_pipes(lines: &[&str], expected: &[&str]) -> Verdict {
    dry_run(lines);
    let input = lines.join("\n") + "\n";
    let mut missing: Vec<Reaction> =
        expected.iter().copied().map(Reaction::from).collect();
    let mut others = Vec::new();
    for line in child::exchange(SERVER, &input)? {
        let Ok(Message::Response(response)) = jsonrpc::parse(line.as_bytes()) else {
            let line = Reaction(transcript::escape_untrusted(line.as_bytes()));
            return holds(
                false,
                "one JSON-RPC response per line, and nothing else",
                line,
            )
            .given(input)
            .likely("a `println!`: stdout belongs to frames; look with `eprintln!`");
        };
        let response = Reaction::from(&response);
        match missing.iter().position(|one| *one == response) {
            Some(at) => drop(missing.remove(at)),
            None => others.push(response),
        }
    }
    // Calls end in any order; the same mistake must be reported with the same text.
    if let Some(response) = others.into_iter().min_by(|a, b| a.0.cmp(&b.0)) {
        return unexpected(&missing, response).given(input);
    }
    holds(missing.is_empty(), one_of(&missing), Reaction::from("the end of stdout"))
        .given(input)
        .likely("a request without a response; its client waits")
}

fn unexpected(missing: &[Reaction], response: Reaction) -> Verdict {
    let id = response.0.split_inclusive(": ").next().unwrap_or_default();
    match missing.iter().find(|one| one.0.starts_with(id)) {
        Some(other) => holds(false, &other.0, response).likely(
            "the right id and another response; a test without pipes shows \
                     more",
        ),
        None => holds(false, one_of(missing), response).likely(
            "no pending request: another id, a second response, or one to a \
             notification",
        ),
    }
}

fn one_of(missing: &[Reaction]) -> String {
    if missing.is_empty() {
        return "nothing more".into();
    }
    missing.iter().map(|one| one.0.as_str()).collect::<Vec<_>>().join("\n")
}

/// The same without pipes, so that a panic is reported with its place.
fn dry_run(lines: &[&str]) {
    let info = |name| ToolInfo::new(name, "", json!({}));
    let mut session = session_of(&["echo", "wait", "ring"].map(info));
    for line in lines {
        let action = session.receive(jsonrpc::parse(line.as_bytes()));
        if let Action::Call { id, .. } = action {
            session.finish(&id, Ok(json!({})));
        }
    }
}
