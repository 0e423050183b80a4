//! What the handshake negotiates.

use super::{Client, order::initialize_response};
use crate::{
    rule::{Verdict, checks, failed, skipped},
    script::Script,
};

checks! { Client:
    Must "undeclared-tools"
        "the client sends no tools/… request to a server without `tools` capability",
        "MCP 2025-11-25, basic/lifecycle, Operation", undeclared_tools;
    Should "unsupported-version"
        "the client leaves a server that supports only 1999-01-01",
        "MCP 2025-11-25, basic/lifecycle, Version Negotiation", unsupported_version;
}

fn undeclared_tools(client: &Client) -> Verdict {
    let run = client.other_run(Script::NoTools)?;
    match run.requests().find(|it| it.has_method_of(&["tools/list", "tools/call"])) {
        Some(request) => {
            let cause = "a server may lack what it does not declare";
            failed("no tools/…", request.quoted(), cause)
        }
        None => Ok(run.exit()),
    }
}

fn unsupported_version(client: &Client) -> Verdict {
    let run = client.other_run(Script::OldVersion)?;
    let Some(response) = initialize_response(&run) else {
        return skipped("it never sends initialize");
    };
    let later = ["notifications/initialized", "tools/list", "tools/call"];
    let mut messages = run.record.messages[response..].iter().map(|it| &it.message);
    let expected = "it ends the connection";
    match messages.find(|it| it.has_method_of(&later)) {
        Some(message) => {
            let cause = "it continues in a revision that it cannot support";
            failed(expected, message.quoted(), cause)
        }
        None if run.status.is_none() => failed(expected, run.exit(), "it only waits"),
        None => Ok(run.exit()),
    }
}
