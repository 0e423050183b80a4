//! A server and a client that are right but for one fault, which has a name. The tests
//! of the checks need them: a check that nobody fails shows nothing.
//!
//! `faulty-peer server FAULT FRAMING`, and
//! `faulty-peer client FAULT FRAMING SERVER ARGS…`. The fault `none` is none.

mod client;
mod server;

use mcp_from_scratch::frame::Framing;
use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let words: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["server", fault, framing] if server::FAULTS.contains(&fault) => {
            server::serve(fault, framing_of(framing));
            ExitCode::SUCCESS
        }
        ["client", fault, framing, ref command @ ..]
            if client::FAULTS.contains(&fault) && !command.is_empty() =>
        {
            client::talk(fault, framing_of(framing), command)
        }
        ["faults", "server"] => listed(&server::FAULTS),
        ["faults", "client"] => listed(&client::FAULTS),
        _ => ExitCode::from(2),
    }
}

fn listed(faults: &[&str]) -> ExitCode {
    faults.iter().for_each(|fault| println!("{fault}"));
    ExitCode::SUCCESS
}

fn framing_of(text: &str) -> Framing {
    text.parse().unwrap_or(Framing::Newline)
}
