//! What was agreed, and what was not.

use super::{Client, order::answered};
use crate::{
    rule::{Check, Level, Verdict, failed, quoted, skipped},
    script::Script,
};

pub fn checks() -> Vec<Check<Client>> {
    let (must, should) = (Level::Must, Level::Should);
    vec![
        Check::new(
            "undeclared-tools",
            must,
            "a server that declares no tools is not asked for them",
            "MCP 2025-11-25, basic/lifecycle, Operation",
            undeclared_tools,
        ),
        Check::new(
            "version-refused",
            should,
            "a server that speaks 1999-01-01 only is left",
            "MCP 2025-11-25, basic/lifecycle, Version Negotiation",
            version_refused,
        ),
    ]
}

fn undeclared_tools(client: &Client) -> Verdict {
    client.plain()?;
    let run = client.run(Script::NoTools)?;
    let asked = run.requests().find(|it| {
        it.json["method"].as_str().is_some_and(|method| method.starts_with("tools/"))
    });
    match asked {
        Some(asked) => {
            let cause = "what a server does not declare it may not have";
            failed("no tools/…", quoted(asked.text.as_bytes()), cause)
        }
        None => Ok(run.end()),
    }
}

fn version_refused(client: &Client) -> Verdict {
    client.plain()?;
    let run = client.run(Script::OldVersion)?;
    let events = &run.seen.events;
    let Some(answered) = answered(events) else {
        return skipped("it never sends initialize");
    };
    let after = ["notifications/initialized", "tools/list", "tools/call"];
    let stayed = events[answered..].iter().find(|it| {
        it.json["method"].as_str().is_some_and(|method| after.contains(&method))
    });
    let expected = "it ends the connection";
    match stayed {
        Some(stayed) => {
            let cause = "it goes on in a revision that it cannot know";
            failed(expected, quoted(stayed.text.as_bytes()), cause)
        }
        None if run.status.is_none() => failed(expected, run.end(), "it only waits"),
        None => Ok(run.end()),
    }
}
