//! Bytes may arrive in any division, and the stream has an end.

use super::{LIST, PING, Server};
use crate::{
    connection::Connection,
    rule::{Verdict, checks, failed, passed, skipped},
};
use serde_json::{Value, json};
use std::{thread::sleep, time::Duration};

const PAUSE: Duration = Duration::from_millis(150);

const STDIO: &str = "MCP 2025-11-25, basic/transports, stdio";
const UTF_8: &str = "MCP 2025-11-25, basic/transports (UTF-8); LSP 3.17, Base Protocol";
const SHUTDOWN: &str = "MCP 2025-11-25, basic/lifecycle, Shutdown";

checks! { Server:
    Must "joined-writes" "five requests may arrive in one write", STDIO, joined_writes;
    Must "split-write" "one request may arrive in three writes", STDIO, split_write;
    Must "multi-byte" "你好 is returned unchanged; lengths count bytes",
        UTF_8, multi_byte;
    Must "slow-client" "a client may send many requests before it reads",
        STDIO, slow_client;
    Must "eof-responses" "requests sent before the end of input get their responses",
        "JSON-RPC 2.0, §5", eof_responses;
    Must "eof-exit" "the server exits at the end of input", SHUTDOWN, eof_exit;
    Should "eof-status" "its exit status is then 0", SHUTDOWN, eof_status;
}

fn ping(id: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string()
}

fn joined_writes(server: &Server) -> Verdict {
    let ids: Vec<_> = (10..15).map(Value::from).collect();
    let frames = ids.iter().map(|id| server.framing.encode(ping(id).as_bytes()));
    let bytes: Vec<u8> = frames.flatten().collect();
    server.shared(|connection| {
        let first = connection.received.len();
        connection.send_raw(bytes);
        all_responses(connection, &ids, first)
    })
}

fn all_responses(connection: &mut Connection, ids: &[Value], first: usize) -> Verdict {
    for id in ids {
        connection.response(id, first)?;
    }
    passed()
}

/// The second split is inside a character of three bytes.
fn split_write(server: &Server) -> Verdict {
    let id = json!("split 你");
    let frame = server.framing.encode(ping(&id).as_bytes());
    let inside = 1 + frame.iter().take_while(|byte| byte.is_ascii()).count();
    server.shared(|connection| {
        let first = connection.received.len();
        for part in [&frame[..10], &frame[10..inside], &frame[inside..]] {
            connection.send_raw(part.to_vec());
            connection.pause(PAUSE);
        }
        all_responses(connection, &[id], first)
    })
}

/// The text is an id, because every server returns ids.
fn multi_byte(server: &Server) -> Verdict {
    let id = json!("你好, 𝄞");
    server.shared(|connection| {
        let response = connection.request(&ping(&id))?;
        if response.json["id"] != id {
            let cause = "the text is no longer the same UTF-8";
            return failed(id.to_string(), response.quoted(), cause);
        }
        // A wrong length breaks the next frame.
        connection.request(&ping(&json!("next")))?;
        passed()
    })
}

/// 64 responses of 3.9 kB are more than a pipe holds. Each is below 4 KiB, which a pipe
/// takes whole: split writes are another check.
fn slow_client(server: &Server) -> Verdict {
    server.skip_if_silent()?;
    let mut connection = server.start_unread()?;
    connection.send(&super::initialize(super::OFFERED));
    connection.send(super::INITIALIZED);
    let long = "x".repeat(3900);
    let ids: Vec<_> = (0..64).map(|number| json!(format!("{number} {long}"))).collect();
    for id in &ids {
        connection.send(&ping(id));
    }
    sleep(PAUSE * 3);
    connection.start_reading();
    all_responses(&mut connection, &ids, 0)
}

fn eof_responses(server: &Server) -> Verdict {
    let mut connection = server.ready()?;
    let first = connection.received.len();
    connection.send(LIST);
    connection.send(PING);
    connection.end();
    all_responses(&mut connection, &[json!(2), json!("ping")], first)
}

fn eof_exit(server: &Server) -> Verdict {
    let mut connection = server.ready()?;
    connection.request(PING)?;
    match connection.end() {
        Some(status) => Ok(status.to_string()),
        None => {
            let got = format!("it runs for another {} s", server.timeout.as_secs_f64());
            let cause = "every client that closes would leave a process behind";
            failed("its exit", got, cause)
        }
    }
}

fn eof_status(server: &Server) -> Verdict {
    let mut connection = server.ready()?;
    connection.request(PING)?;
    match connection.end() {
        Some(status) if status.success() => passed(),
        Some(status) => {
            let cause = "an end of input is not a failure";
            failed("exit status 0", status.to_string(), cause)
        }
        None => skipped("it does not exit, see eof-exit"),
    }
}
