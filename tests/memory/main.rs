//! Ten thousand calls: neither the server nor the client keeps anything of them.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    params,
    transport::{Transport, silent},
};
use std::{fs, process::Stdio};
use tokio::{process::Command, task::JoinSet};

/// In KiB. Both were seen to grow by less than 100. Were anything kept of each call, if
/// only its text, it would be more than 4,000.
const HEADROOM: u64 = 1024;

/// The memory that a process holds at this moment, in KiB.
fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.expect("VmRSS").trim().trim_end_matches(" kB");
    number.parse().expect("a number")
}

/// Fifty at a time, for the sake of time.
async fn calls(client: &Client, numbers: std::ops::Range<u32>) {
    let mut waiting = JoinSet::new();
    for number in numbers {
        let client = client.clone();
        waiting.spawn(async move {
            let text = format!("{number:0500}"); // 500 bytes, different each time
            let arguments = params! { "text": text };
            let outcome = client.call_tool("echo", arguments).await.expect("a result");
            assert_eq!(text, outcome.content[0]["text"]);
        });
        if waiting.len() == 50 {
            waiting.join_next().await.expect("fifty").expect("no panic");
        }
    }
    while let Some(call) = waiting.join_next().await {
        call.expect("no panic");
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
    let transport = Transport::over(stdout, stdin, Framing::Newline, silent());
    let client = Client::over(transport, ClientConfig::default());
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
