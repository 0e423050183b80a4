//! The tool list, page by page, with bounds for a server that never ends it.

use super::{ClientError, connection::Connection, malformed};
use crate::{
    lifecycle::Event,
    protocol::{self, method::TOOLS_LIST},
    transcript::excerpt,
};
use serde_json::Value;
use std::collections::HashSet;
use tokio::time::timeout;

/// How many pages are read. A server that has more is in a loop.
const MAX_PAGES: usize = 1000;
/// After this many tools no further page is read: no model can choose among so many.
const MAX_TOOLS: usize = 10_000;
/// The whole list may take this many times the limit of one request.
const LIST_TIMEOUTS: u32 = 10;

// ANCHOR: list-tools
pub async fn all_pages(connection: &Connection) -> Result<Vec<Value>, ClientError> {
    connection.allows(Event::Request)?;
    if !connection.capabilities().tools {
        return Ok(Vec::new());
    }
    let after = connection.config.timeout.saturating_mul(LIST_TIMEOUTS);
    let late = |_| ClientError::Timeout { method: TOOLS_LIST.into(), after };
    timeout(after, pages(connection)).await.map_err(late)?
}
// ANCHOR_END: list-tools

// ANCHOR: list-pages
async fn pages(connection: &Connection) -> Result<Vec<Value>, ClientError> {
    let mut tools = Vec::new();
    let mut next: Option<String> = None;
    let mut seen = HashSet::new();
    while tools.len() <= MAX_TOOLS && seen.len() < MAX_PAGES {
        let (mut page, cursor) = page(connection, next.as_deref()).await?;
        let loops = cursor.as_ref().is_some_and(|c| !seen.insert(c.clone()));
        if loops {
            // The server sends the same page again, and its tools are listed already.
            let known: HashSet<_> = tools.iter().map(Value::to_string).collect();
            page.retain(|tool| !known.contains(&tool.to_string()));
            let cursor = cursor.as_deref().unwrap_or_default();
            connection.note(format_args!("tools/list: repeated cursor {cursor:?}"));
        }
        tools.extend(page);
        next = cursor.filter(|_| !loops);
        if next.is_none() {
            return Ok(tools);
        }
    }
    let reason = format!("more than {MAX_TOOLS} tools or {MAX_PAGES} pages");
    Err(malformed(TOOLS_LIST, reason))
}
// ANCHOR_END: list-pages

async fn page(
    connection: &Connection,
    cursor: Option<&str>,
) -> Result<(Vec<Value>, Option<String>), ClientError> {
    let request = |id| protocol::list_tools(id, cursor);
    let mut result = connection.request(Event::Request, TOOLS_LIST, request).await?;
    let wrong = |member: &str, kind: &str, got: Value| {
        let got = excerpt(got);
        malformed(TOOLS_LIST, format!("`{member}` must be {kind}, got {got}"))
    };
    let tools = match result["tools"].take() {
        Value::Array(tools) => tools,
        other => return Err(wrong("tools", "an array", other)),
    };
    match result["nextCursor"].take() {
        Value::Null => Ok((tools, None)),
        Value::String(cursor) => Ok((tools, Some(cursor))), // "" is a cursor, too
        other => Err(wrong("nextCursor", "a string", other)),
    }
}
