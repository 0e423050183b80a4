//! What our server costs beside the plainest loop that could do its work.
//!
//! `cargo bench --bench round_trip`. The baseline reads a line, parses it with
//! serde_json, writes a line: no async, no states, no rules. Both servers are children
//! of this process over pipes, both talk to the same client, and all of them share one
//! core. Runs alternate, so that a slow moment of the machine hits both; medians count.

#![allow(clippy::print_stdout)] // A benchmark reports there.

use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    params,
    process::ServerCommand,
    transport::silent,
};
use serde_json::{Value, json};
use std::{
    io::{self, BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    time::Instant,
};

const RUNS: usize = 7;
const CALLS: usize = 3_000;
const IN_FLIGHT: usize = 64;
const MANY_CALLS: usize = 60_000;

fn main() -> anyhow::Result<()> {
    if std::env::args().any(|argument| argument == "--baseline") {
        return Ok(baseline()?);
    }
    println!("{}", pin());
    let ours = vec![env!("CARGO_BIN_EXE_03-echo-server").to_owned()];
    let this = std::env::current_exe()?.display().to_string();
    let plain = vec![this, "--baseline".to_owned()];

    let (a, b) = alternate(|| one_by_one(&ours), || one_by_one(&plain))?;
    let round_trip = a / b;
    println!("tools/call echo, one after another, {RUNS} x {CALLS} calls, our client");
    println!("  03-echo-server   {:>8.2} µs a round trip", a * 1e6);
    println!("  serde_json loop  {:>8.2} µs", b * 1e6);
    println!("  ratio            {:>8.2} (bound 1.20)", a / b);

    let (a, b) = alternate(|| in_flight(&ours), || in_flight(&plain))?;
    println!("tools/call echo, {IN_FLIGHT} in flight, {RUNS} x {MANY_CALLS} calls");
    println!("  03-echo-server   {a:>8.0} calls/s");
    println!("  serde_json loop  {b:>8.0} calls/s");
    println!("  ratio            {:>8.2} (bound 0.80)", a / b);
    let throughput = a / b;
    let first = peak_memory_after(&ours, 1_000)?;
    let last = peak_memory_after(&ours, 100_000)?;
    println!(
        "peak memory of 03-echo-server: {first} KiB after 1,000 calls, {last} KiB after 100,000"
    );
    anyhow::ensure!(round_trip <= 1.2 && throughput >= 0.8, "a bound was missed");
    Ok(())
}

/// Children inherit it, so all three processes share the core.
#[cfg(target_os = "linux")]
fn pin() -> &'static str {
    let mut one = rustix::thread::CpuSet::new();
    one.set(0);
    match rustix::thread::sched_setaffinity(None, &one) {
        Ok(()) => "all pinned to core 0",
        Err(_) => "NOT pinned: the system refused",
    }
}

#[cfg(not(target_os = "linux"))]
fn pin() -> &'static str {
    "NOT pinned: only done on Linux"
}

/// The medians of both, after one run of each to warm up.
fn alternate(
    mut a: impl FnMut() -> anyhow::Result<f64>,
    mut b: impl FnMut() -> anyhow::Result<f64>,
) -> anyhow::Result<(f64, f64)> {
    let mut figures = (Vec::new(), Vec::new());
    for _ in 0..=RUNS {
        figures.0.push(a()?);
        figures.1.push(b()?);
    }
    Ok((median(figures.0), median(figures.1)))
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.remove(0);
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Seconds a call, with our client, each call waiting for the one before.
fn one_by_one(command: &[String]) -> anyhow::Result<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (program, args) = (command[0].clone(), command[1..].to_vec());
        let spec = ServerCommand { program, args, ..ServerCommand::default() };
        let client =
            Client::spawn(&spec, Framing::Newline, ClientConfig::default(), silent())?;
        client.handshake().await?;
        let arguments = params! { "text": "x".repeat(64) };
        let start = Instant::now();
        for _ in 0..CALLS {
            let outcome = client.call_tool("echo", arguments.clone()).await?;
            assert_eq!(arguments["text"], outcome.content[0]["text"]);
        }
        let seconds = start.elapsed().as_secs_f64() / CALLS as f64;
        client.close().await;
        Ok(seconds)
    })
}

/// Calls a second, with a client that only counts lines, so that the server is what is
/// measured.
fn in_flight(command: &[String]) -> anyhow::Result<f64> {
    let mut child = start(command)?;
    let seconds = many_calls(&mut child, MANY_CALLS)?;
    end(child)?;
    Ok(MANY_CALLS as f64 / seconds)
}

fn peak_memory_after(command: &[String], calls: usize) -> anyhow::Result<String> {
    let mut child = start(command)?;
    many_calls(&mut child, calls)?;
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    end(child)?;
    let peak = status.unwrap_or_default();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(peak.map_or("?".into(), |peak| peak.trim().trim_end_matches(" kB").into()))
}

fn start(command: &[String]) -> anyhow::Result<Child> {
    let mut child = Command::new(&command[0]);
    child.args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
    Ok(child.spawn()?)
}

fn end(mut child: Child) -> anyhow::Result<()> {
    drop(child.stdin.take());
    anyhow::ensure!(child.wait()?.success(), "the server failed");
    Ok(())
}

fn many_calls(child: &mut Child, calls: usize) -> anyhow::Result<f64> {
    let (Some(to), Some(from)) = (child.stdin.as_mut(), child.stdout.as_mut()) else {
        anyhow::bail!("no pipes");
    };
    let mut from = BufReader::new(from);
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "bench", "version": "1" },
    });
    let hello =
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    write!(to, "{hello}\n{ready}\n")?;
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    let text = "x".repeat(64);
    let params = json!({ "name": "echo", "arguments": { "text": text } });
    let request = |id: usize| {
        let method = "tools/call";
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
            .to_string()
            + "\n"
    };
    let requests: Vec<_> = (1..=calls).map(request).collect();
    let start = Instant::now();
    let mut waiting = requests.iter();
    for request in waiting.by_ref().take(IN_FLIGHT) {
        to.write_all(request.as_bytes())?;
    }
    for _ in 0..calls {
        line.clear();
        from.read_until(b'\n', &mut line)?;
        anyhow::ensure!(line.ends_with(b"}\n"), "the server stopped answering");
        if let Some(request) = waiting.next() {
            to.write_all(request.as_bytes())?;
        }
    }
    Ok(start.elapsed().as_secs_f64())
}

/// The plainest server: one line in, one line out.
fn baseline() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let Some(id) = request.get("id") else { continue };
        let result = match request["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "baseline", "version": "1" },
            }),
            _ => json!({
                "content": [{
                    "type": "text",
                    "text": request["params"]["arguments"]["text"],
                }],
            }),
        };
        let response = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        writeln!(out, "{response}")?;
        out.flush()?;
    }
    Ok(())
}
