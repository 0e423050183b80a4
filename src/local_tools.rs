//! The five tools that the agent has without any server.
//!
//! The two that touch files take a plain file name and stay inside one directory.

use crate::{
    registry::{Risk, ToolRegistry, ToolSpec, object_schema},
    tool::{Arguments, ToolFailure, ToolInfo, ToolResult, from_fn},
    transcript::escape_untrusted,
};
use serde_json::Number;
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

type Run = Box<dyn Fn(&Arguments) -> Result<ToolResult, ToolFailure> + Send + Sync>;

// ANCHOR: registry
/// A registry with the five local tools. `directory` is where the notes are; it is
/// created when the first note is written.
pub fn registry(directory: impl Into<PathBuf>) -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    for (spec, run) in local_tools(directory.into()) {
        let added = registry.register(spec, from_fn(run));
        added.unwrap_or_else(|duplicate| unreachable!("five names: {duplicate}"));
    }
    registry
}
// ANCHOR_END: registry

fn local_tools(directory: PathBuf) -> [(ToolSpec, Run); 5] {
    let for_deleting = directory.clone();
    [
        tool(
            "get_time",
            "The current time (UTC).",
            &[],
            Risk::Auto,
            |_| Ok(get_time()),
        ),
        tool(
            "get_weather",
            "The weather in a city. Sample data, not a forecast.",
            &[("city", "string", "Name of the city.")],
            Risk::Auto,
            get_weather,
        ),
        tool(
            "add",
            "The sum of two numbers.",
            &[("a", "number", "First number."), ("b", "number", "Second number.")],
            Risk::Auto,
            add,
        ),
        tool(
            "write_note",
            "Write a note, replacing one of the same name.",
            &[("name", "string", "File name."), ("text", "string", "The whole note.")],
            Risk::Suggest,
            move |arguments| write_note(&directory, arguments),
        ),
        tool(
            "delete_file",
            "Delete a note.",
            &[("name", "string", "File name.")],
            Risk::Approve,
            move |arguments| delete_file(&for_deleting, arguments),
        ),
    ]
}

fn tool(
    name: &str,
    description: &str,
    parameters: &[(&str, &str, &str)],
    risk: Risk,
    run: impl Fn(&Arguments) -> Result<ToolResult, ToolFailure> + Send + Sync + 'static,
) -> (ToolSpec, Run) {
    let info = ToolInfo::new(name, description, object_schema(parameters));
    (ToolSpec::local(info, risk), Box::new(run))
}

fn get_time() -> ToolResult {
    ToolResult::text(&humantime::format_rfc3339_seconds(SystemTime::now()).to_string())
}

fn get_weather(arguments: &Arguments) -> Result<ToolResult, ToolFailure> {
    let city: String = arguments.required("city")?;
    Ok(ToolResult::text(&format!("{city}: sunny, 21 °C (sample data)")))
}

fn add(arguments: &Arguments) -> Result<ToolResult, ToolFailure> {
    let (a, b): (Number, Number) = (arguments.required("a")?, arguments.required("b")?);
    if let (Some(a), Some(b)) = (a.as_i128(), b.as_i128()) {
        return Ok(ToolResult::text(&(a + b).to_string())); // each fits 64 bits
    }
    let sum = a.as_f64().zip(b.as_f64()).map(|(a, b)| a + b).filter(|s| s.is_finite());
    let sum = sum.ok_or_else(|| ToolFailure("the sum is too large".into()))?;
    Ok(ToolResult::text(&sum.to_string()))
}

// ANCHOR: write-note
/// Writes a temporary file and renames it: a note is replaced whole or not at all, and
/// a link or a pipe of that name is replaced, not followed. Blocks its thread: a small
/// note on a local disk is written sooner than another thread is woken.
fn write_note(
    directory: &Path,
    arguments: &Arguments,
) -> Result<ToolResult, ToolFailure> {
    let name = file_name(arguments)?;
    let text: String = arguments.required("text")?;
    let temporary = directory.join(format!(".{name}.new"));
    let written = fs::create_dir_all(directory)
        .and_then(|()| remove_if_present(&temporary))
        .and_then(|()| fs::File::create_new(&temporary))
        .and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
        .and_then(|()| fs::rename(&temporary, directory.join(&name)));
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary); // it may not exist
        return Err(failed("write", &name, &error));
    }
    Ok(ToolResult::text(&format!("wrote {name} ({} bytes)", text.len())))
}
// ANCHOR_END: write-note

fn delete_file(
    directory: &Path,
    arguments: &Arguments,
) -> Result<ToolResult, ToolFailure> {
    let name = file_name(arguments)?;
    fs::remove_file(directory.join(&name)).map_err(|e| failed("delete", &name, &e))?;
    Ok(ToolResult::text(&format!("deleted {name}")))
}

// ANCHOR: file-name
/// A name, not a path: no separators of any system, no hidden file, and no character
/// that a person who approves the call would not see.
fn file_name(arguments: &Arguments) -> Result<String, ToolFailure> {
    let name: String = arguments.required("name")?;
    let is_path = name.contains(['/', '\\', ':']);
    let is_shown = escape_untrusted(name.as_bytes()) == name;
    let good = !name.is_empty() && !name.starts_with('.') && !is_path && is_shown;
    good.then_some(name).ok_or_else(|| {
        let text = "argument `name` must be a plain file name, without a path";
        ToolFailure(text.into())
    })
}
// ANCHOR_END: file-name

fn remove_if_present(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Only the kind of the error: its full text may name paths of this machine.
fn failed(what: &str, name: &str, error: &io::Error) -> ToolFailure {
    ToolFailure(format!("cannot {what} {name}: {}", error.kind()))
}
