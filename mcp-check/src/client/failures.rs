//! Silence, death, and the end.

use super::{Client, Run};
use crate::{
    rule::{Check, Level, Problem, Verdict, failed, fine, quoted, skipped},
    script::{Script, log::What},
};
use std::rc::Rc;

const TIMEOUTS: &str = "MCP 2025-11-25, basic/lifecycle, Timeouts";
const SHUTDOWN: &str = "MCP 2025-11-25, basic/lifecycle, Shutdown";

pub fn checks() -> Vec<Check<Client>> {
    let (must, should) = (Level::Must, Level::Should);
    vec![
        Check::new(
            "server-dies",
            must,
            "when the server dies in mid-call, the client ends in time",
            "course",
            server_dies,
        ),
        Check::new(
            "failure-status",
            should,
            "and its exit status says that it failed",
            "course",
            failure_status,
        ),
        Check::new(
            "silent-server",
            must,
            "a server that never answers is given up (a SHOULD; without it: for ever)",
            TIMEOUTS,
            silent_server,
        ),
        Check::new(
            "silent-cancelled",
            should,
            "and the request is cancelled",
            TIMEOUTS,
            silent_cancelled,
        ),
        Check::new(
            "initialize-uncancelled",
            must,
            "initialize is never cancelled",
            "MCP 2025-11-25, basic/utilities/cancellation",
            initialize_uncancelled,
        ),
        Check::new(
            "closes-stdin",
            should,
            "the client closes its server's stdin, and lets it end",
            SHUTDOWN,
            closes_stdin,
        ),
        Check::new(
            "leaves-nothing",
            should,
            "a server that stays after the end of input is ended by a signal",
            SHUTDOWN,
            leaves_nothing,
        ),
    ]
}

/// The run where it fails in mid-call; a client that calls nothing meets it earlier.
fn at_call(client: &Client, call: Script, list: Script) -> Result<Rc<Run>, Problem> {
    let plain = client.plain()?;
    if plain.has_asked("tools/call") {
        client.run(call)
    } else if plain.has_asked("tools/list") {
        client.run(list)
    } else {
        skipped("it asks for no tools")
    }
}

fn server_dies(client: &Client) -> Verdict {
    let run = at_call(client, Script::DiesAtCall, Script::DiesAtList)?;
    match run.status {
        Some(status) => Ok(format!("{status} after {:.1} s", run.took.as_secs_f64())),
        None => {
            let cause = "it still waits for an answer; the end of the server's stdout \
                         must fail every pending request";
            failed("it ends", run.end(), cause)
        }
    }
}

fn failure_status(client: &Client) -> Verdict {
    let run = at_call(client, Script::DiesAtCall, Script::DiesAtList)?;
    match run.status {
        None => skipped("it does not end, see server-dies"),
        Some(status) if status.success() => {
            failed("another status than 0", status.to_string(), "the call was lost")
        }
        Some(_) => fine(),
    }
}

fn silent(client: &Client) -> Result<Rc<Run>, Problem> {
    at_call(client, Script::SilentAtCall, Script::SilentAtList)
}

fn silent_server(client: &Client) -> Verdict {
    let run = silent(client)?;
    match run.status {
        Some(status) => Ok(format!("{status} after {:.1} s", run.took.as_secs_f64())),
        None => {
            let cause = "a request without a timeout; if its timeout is longer, say \
                         --timeout";
            failed("it gives up", run.end(), cause)
        }
    }
}

const CANCELLED: &str = "notifications/cancelled";

fn silent_cancelled(client: &Client) -> Verdict {
    let run = silent(client)?;
    if run.status.is_none() {
        return skipped("it does not give up, see silent-server");
    }
    let Some(request) = run.requests().last() else {
        return skipped("it asks for nothing");
    };
    let id = &request.json["id"];
    let cancels = |json: &serde_json::Value| {
        json["method"] == CANCELLED && json["params"]["requestId"] == *id
    };
    match run.received().any(|it| cancels(&it.json)) {
        true => fine(),
        false => {
            let expected = format!("{CANCELLED} with the requestId {id}");
            failed(expected, run.course(), "the server goes on working for nobody")
        }
    }
}

fn initialize_uncancelled(client: &Client) -> Verdict {
    client.plain()?;
    let run = client.run(Script::SilentAtInitialize)?;
    match run.received().find(|it| it.json["method"] == CANCELLED) {
        Some(cancel) => {
            let cause = "the page forbids it for this one request";
            failed("no cancellation", quoted(cancel.text.as_bytes()), cause)
        }
        None => Ok(run.end()),
    }
}

fn closes_stdin(client: &Client) -> Verdict {
    let run = client.plain()?;
    match run.seen.events.iter().any(|it| it.what == What::End) {
        true => fine(),
        false => {
            let got = format!("the server was ended before that; {}", run.end());
            failed("the end of input", got, "end of input first, signals after a while")
        }
    }
}

fn leaves_nothing(client: &Client) -> Verdict {
    client.plain()?;
    let run = client.run(Script::Stays)?;
    if run.status.is_none() {
        let cause = "it waits for a server that does not end";
        return failed("it ends", run.end(), cause);
    }
    match run.left {
        true => failed(
            "no process is left",
            "the server outlives its client",
            "end of input, then SIGTERM, then SIGKILL, each after a while",
        ),
        false => fine(),
    }
}
