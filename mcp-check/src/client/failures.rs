//! A silent server, a dead server, and the end.

use super::{Client, Run};
use crate::{
    rule::{Problem, Verdict, checks, failed, passed, skipped},
    script::Script,
};
use std::rc::Rc;

const TIMEOUTS: &str = "MCP 2025-11-25, basic/lifecycle, Timeouts";
const CANCELLATION: &str = "MCP 2025-11-25, basic/utilities/cancellation";
const SHUTDOWN: &str = "MCP 2025-11-25, basic/lifecycle, Shutdown";

checks! { Client:
    Must "server-dies" "when the server dies during a call, the client exits in time",
        "course", server_dies;
    Should "failure-status" "its exit status is then not 0", "course", failure_status;
    Must "silent-server"
        "a request without a response times out (a SHOULD, but the wait is endless)",
        TIMEOUTS, silent_server;
    Should "silent-cancelled" "the client then cancels the request",
        TIMEOUTS, silent_cancelled;
    Must "initialize-uncancelled" "the client never cancels initialize",
        CANCELLATION, initialize_uncancelled;
    Should "closes-stdin" "the client closes its server's stdin and lets it exit",
        SHUTDOWN, closes_stdin;
    Should "leaves-nothing"
        "a server that runs on after the end of input is ended by a signal",
        SHUTDOWN, leaves_nothing;
}

/// A run that fails at a call; a client that calls nothing fails at its list.
fn at_call(client: &Client, call: Script, list: Script) -> Result<Rc<Run>, Problem> {
    let plain = client.plain()?;
    if plain.request("tools/call").is_some() {
        client.run(call)
    } else if plain.request("tools/list").is_some() {
        client.run(list)
    } else {
        skipped("it sends no tools/… request")
    }
}

fn exits(run: &Run, cause: &str) -> Verdict {
    match run.status {
        Some(status) => Ok(format!("{status} after {:.1} s", run.took.as_secs_f64())),
        None => failed("its exit", run.exit(), cause),
    }
}

fn server_dies(client: &Client) -> Verdict {
    let run = at_call(client, Script::DiesAtCall, Script::DiesAtList)?;
    exits(&run, "the end of the server's stdout must fail every pending request")
}

fn failure_status(client: &Client) -> Verdict {
    let run = at_call(client, Script::DiesAtCall, Script::DiesAtList)?;
    match run.status {
        None => skipped("it does not exit, see server-dies"),
        Some(status) if status.success() => {
            failed("another status than 0", status.to_string(), "the call has failed")
        }
        Some(_) => passed(),
    }
}

fn silent(client: &Client) -> Result<Rc<Run>, Problem> {
    at_call(client, Script::SilentAtCall, Script::SilentAtList)
}

fn silent_server(client: &Client) -> Verdict {
    exits(&*silent(client)?, "it has no timeout, or a longer one: use --timeout")
}

const CANCELLED: &str = "notifications/cancelled";

fn silent_cancelled(client: &Client) -> Verdict {
    let run = silent(client)?;
    if run.status.is_none() {
        return skipped("it has no timeout, see silent-server");
    }
    let Some(request) = run.requests().last() else {
        return skipped("it sends no request");
    };
    let id = &request.json["id"];
    let is_cancelled = run
        .received()
        .any(|it| it.has_method(CANCELLED) && it.json["params"]["requestId"] == *id);
    match is_cancelled {
        true => passed(),
        false => {
            let expected = format!("{CANCELLED} with the requestId {id}");
            failed(expected, run.summary(), "the server continues in vain")
        }
    }
}

fn initialize_uncancelled(client: &Client) -> Verdict {
    let run = client.other_run(Script::SilentAtInitialize)?;
    match run.received().find(|it| it.has_method(CANCELLED)) {
        Some(message) => {
            let cause = "the specification forbids it for this request";
            failed("no cancellation", message.quoted(), cause)
        }
        None => Ok(run.exit()),
    }
}

fn closes_stdin(client: &Client) -> Verdict {
    let run = client.plain()?;
    match run.record.saw_end_of_input {
        true => passed(),
        false => {
            let got = format!("the server was ended before it; {}", run.exit());
            failed("the end of input", got, "first the end of input, signals later")
        }
    }
}

fn leaves_nothing(client: &Client) -> Verdict {
    let run = client.other_run(Script::Stays)?;
    if run.status.is_none() {
        let cause = "it waits for a server that does not exit";
        return failed("its exit", run.exit(), cause);
    }
    match run.left_server {
        true => failed(
            "no process is left",
            "the server outlives its client",
            "end of input, then SIGTERM, then SIGKILL, with a wait before each signal",
        ),
        false => passed(),
    }
}
