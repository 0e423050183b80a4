//! A server and a client that are correct except for one fault, which has a name. The
//! tests of the checks need them: a check that no program fails proves nothing.
//!
//! `faulty-peer server FAULT FRAMING`, and
//! `faulty-peer client FAULT FRAMING SERVER ARGS…`. Without a fault: `none`.

mod client;
mod server;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let words: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let [role, fault, framing, ref command @ ..] = words[..] else {
        return ExitCode::from(2);
    };
    match (role, framing.parse()) {
        ("server", Ok(framing)) => server::serve(fault, framing),
        ("client", Ok(framing)) => client::run(fault, framing, command),
        _ => ExitCode::from(2),
    }
}
