//! Ten thousand calls: neither the server nor the client keeps anything of them.
#![cfg(target_os = "linux")]

mod common;

use mcp_from_scratch::{
    client::{Client, Settings},
    frame::Framing,
    protocol::object,
    transport::{Transport, silent},
};
use serde_json::json;
use std::{fs, process::Stdio};
use tokio::process::Command;

/// In KiB. Both were seen not to grow at all. Were anything kept of each call, if only
/// its text, it would be more than 4,000 KiB.
const HEADROOM: u64 = 1024;

/// The memory that a process holds at this moment, in KiB.
fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.expect("VmRSS").trim().trim_end_matches(" kB");
    number.parse().expect("a number")
}

async fn calls(client: &Client, numbers: std::ops::Range<u32>) {
    for number in numbers {
        let text = format!("{number:0500}"); // 500 bytes, different each time
        let arguments = object(json!({ "text": text }));
        let outcome = client.call_tool("echo", arguments).await.expect("a result");
        assert_eq!(text, outcome.content[0]["text"]);
    }
}

#[tokio::test]
async fn memory_is_flat_from_1000_calls_to_10_000() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_03-echo-server"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("it starts");
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (stdin, stdout) = (stdin.expect("piped"), stdout.expect("piped"));
    let transport = Transport::new(stdout, stdin, Some(Framing::Newline), silent());
    let client = Client::over(transport, Settings::default());
    client.handshake().await.expect("the handshake succeeds");
    let server = child.id().expect("it runs");
    let both = || [resident(server), resident(std::process::id())];

    calls(&client, 0..1_000).await;
    let early = both();
    calls(&client, 1_000..10_000).await;
    let late = both();

    println!("KiB of server and client: {early:?} at 1,000 calls, {late:?} at 10,000");
    for (who, (early, late)) in ["server", "client"].iter().zip(early.iter().zip(late))
    {
        assert!(late < early + HEADROOM, "the {who}: {early} KiB, then {late} KiB");
    }
    assert_eq!(0, client.pending());
    client.close().await;
    let status = common::serving::soon(child.wait()).await;
    assert!(status.expect("it ends").success());
}
