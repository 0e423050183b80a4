//! Bytes come in any cut, and the stream has an end.

use super::{LIST, PING, Server};
use crate::{
    rule::{Check, Level, Verdict, failed, fine, skipped},
    wire::Wire,
};
use serde_json::{Value, json};
use std::{thread::sleep, time::Duration};

const PAUSE: Duration = Duration::from_millis(150);

pub fn checks() -> Vec<Check<Server>> {
    let stdio = "MCP 2025-11-25, basic/transports, stdio";
    let shutdown = "MCP 2025-11-25, basic/lifecycle, Shutdown";
    vec![
        Check::new(
            "write-joined",
            Level::Must,
            "five requests in one write",
            stdio,
            joined,
        ),
        Check::new("write-cut", Level::Must, "a request in three writes", stdio, cut),
        Check::new(
            "multi-byte",
            Level::Must,
            "你好 goes there and back; lengths count bytes",
            "MCP 2025-11-25, basic/transports (UTF-8); LSP 3.17, Base Protocol",
            multi_byte,
        ),
        Check::new(
            "slow-client",
            Level::Must,
            "a client may send a lot before it reads",
            stdio,
            slow_client,
        ),
        Check::new(
            "eof-answers",
            Level::Must,
            "what was sent before the end of input is answered",
            "JSON-RPC 2.0, §5",
            eof_answers,
        ),
        Check::new(
            "eof-exit",
            Level::Must,
            "at the end of input the server ends by itself",
            shutdown,
            eof_exit,
        ),
        Check::new(
            "eof-status",
            Level::Should,
            "with exit status 0",
            shutdown,
            eof_status,
        ),
    ]
}

fn ping(id: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string()
}

fn joined(server: &Server) -> Verdict {
    let ids: Vec<_> = (10..15).map(Value::from).collect();
    let frames = ids.iter().map(|id| server.framing.encode(ping(id).as_bytes()));
    let bytes: Vec<u8> = frames.flatten().collect();
    server.shared(|wire| {
        let first = wire.received.len();
        wire.send_raw(bytes);
        all(wire, &ids, first)
    })
}

fn all(wire: &mut Wire, ids: &[Value], first: usize) -> Verdict {
    for id in ids {
        wire.answer(id, first)?;
    }
    fine()
}

/// The second cut is inside a character of three bytes.
fn cut(server: &Server) -> Verdict {
    let id = json!("cut 你");
    let frame = server.framing.encode(ping(&id).as_bytes());
    let inside = 1 + frame.iter().take_while(|byte| byte.is_ascii()).count();
    server.shared(|wire| {
        let first = wire.received.len();
        for part in [&frame[..10], &frame[10..inside], &frame[inside..]] {
            wire.send_raw(part.to_vec());
            wire.pause(PAUSE);
        }
        all(wire, &[id], first)
    })
}

/// The id makes the trip, so that any server can be asked.
fn multi_byte(server: &Server) -> Verdict {
    let id = json!("你好, 𝄞");
    server.shared(|wire| {
        let answer = wire.ask(&ping(&id))?;
        if answer.json["id"] != id {
            let cause = "the text is not UTF-8 any more";
            return failed(id.to_string(), answer.shown(), cause);
        }
        // A wrong length spoils what comes next.
        wire.ask(&ping(&json!("after it")))?;
        fine()
    })
}

/// 64 answers of 3.9 kB are more than a pipe holds. Each is below 4 KiB, which a pipe
/// takes whole: that a request may be cut is another check.
fn slow_client(server: &Server) -> Verdict {
    if server.mute.get() {
        return skipped("it does not answer `initialize`");
    }
    let wire = Wire::start_deaf(&server.command, server.framing, server.patience);
    let mut wire = wire.map_err(|error| super::cannot_start(&error))?;
    wire.send(&super::initialize(super::OFFERED));
    wire.send(super::INITIALIZED);
    let long = "x".repeat(3900);
    let ids: Vec<_> = (0..64).map(|number| json!(format!("{number} {long}"))).collect();
    for id in &ids {
        wire.send(&ping(id));
    }
    sleep(PAUSE * 3);
    wire.listen();
    all(&mut wire, &ids, 0)
}

fn eof_answers(server: &Server) -> Verdict {
    let mut wire = server.ready()?;
    let first = wire.received.len();
    wire.send(LIST);
    wire.send(PING);
    wire.end();
    for id in [json!(2), json!("are you there")] {
        wire.answer(&id, first)?;
    }
    fine()
}

fn eof_exit(server: &Server) -> Verdict {
    let mut wire = server.ready()?;
    wire.ask(PING)?;
    match wire.end() {
        Some(status) => Ok(status.to_string()),
        None => {
            let got =
                format!("it still runs after {} s", server.patience.as_secs_f64());
            let cause = "each client that closes would leave a process behind";
            failed("it ends", got, cause)
        }
    }
}

fn eof_status(server: &Server) -> Verdict {
    let mut wire = server.ready()?;
    wire.ask(PING)?;
    match wire.end() {
        Some(status) if status.success() => fine(),
        Some(status) => {
            failed("exit status 0", status.to_string(), "an end of input is no failure")
        }
        None => skipped("it does not end, see eof-exit"),
    }
}
