//! The five tools that the agent had before there was a protocol.
//!
//! The two that touch files take a plain file name and stay inside one directory.

use crate::{
    registry::{Parameters, Risk, ToolRegistry, ToolSpec},
    tool::{Arguments, FunctionTool, Outcome, ToolInfo},
    transcript::visible,
};
use serde_json::Number;
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

type Run = Box<dyn Fn(&Arguments) -> Result<Outcome, Outcome> + Send + Sync>;

// ANCHOR: registry
/// A registry with the five local tools. `directory` is where notes live; it is made
/// when the first one is written.
pub fn registry(directory: impl Into<PathBuf>) -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    for (spec, run) in local_tools(directory.into()) {
        let schema = spec.parameters.schema.clone();
        let info = ToolInfo::new(&spec.name, &spec.description, schema);
        let added = registry.register(spec, FunctionTool::new(info, run));
        added.unwrap_or_else(|collision| unreachable!("five names: {collision}"));
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
    run: impl Fn(&Arguments) -> Result<Outcome, Outcome> + Send + Sync + 'static,
) -> (ToolSpec, Run) {
    let parameters = Parameters::required(parameters);
    let (name, description) = (name.into(), description.into());
    (ToolSpec { name, description, parameters, risk }, Box::new(run))
}

fn get_time() -> Outcome {
    Outcome::text(&humantime::format_rfc3339_seconds(SystemTime::now()).to_string())
}

fn get_weather(arguments: &Arguments) -> Result<Outcome, Outcome> {
    let city: String = arguments.required("city")?;
    Ok(Outcome::text(&format!("{city}: sunny, 21 °C (sample data)")))
}

fn add(arguments: &Arguments) -> Result<Outcome, Outcome> {
    let (a, b): (Number, Number) = (arguments.required("a")?, arguments.required("b")?);
    if let (Some(a), Some(b)) = (a.as_i128(), b.as_i128()) {
        return Ok(Outcome::text(&(a + b).to_string())); // each fits 64 bits
    }
    let sum = a.as_f64().zip(b.as_f64()).map(|(a, b)| a + b).filter(|s| s.is_finite());
    let sum = sum.ok_or_else(|| Outcome::failure("the sum is too large"))?;
    Ok(Outcome::text(&sum.to_string()))
}

// ANCHOR: write-note
/// Without a hop to another thread: a small note on a local disk is written sooner.
///
/// Writes beside and renames: a note is replaced whole or not at all, and a link or a
/// pipe of that name is replaced, not followed.
fn write_note(directory: &Path, arguments: &Arguments) -> Result<Outcome, Outcome> {
    let name = file_name(arguments)?;
    let text: String = arguments.required("text")?;
    let beside = directory.join(format!(".{name}.new"));
    let written = fs::create_dir_all(directory)
        .and_then(|()| remove_if_there(&beside))
        .and_then(|()| fs::File::create_new(&beside))
        .and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
        .and_then(|()| fs::rename(&beside, directory.join(&name)));
    if let Err(error) = written {
        let _ = fs::remove_file(&beside); // it may not have come into being
        return Err(failed("write", &name, &error));
    }
    Ok(Outcome::text(&format!("wrote {name} ({} bytes)", text.len())))
}
// ANCHOR_END: write-note

fn delete_file(directory: &Path, arguments: &Arguments) -> Result<Outcome, Outcome> {
    let name = file_name(arguments)?;
    fs::remove_file(directory.join(&name)).map_err(|e| failed("delete", &name, &e))?;
    Ok(Outcome::text(&format!("deleted {name}")))
}

// ANCHOR: file-name
/// A name, not a path: no separators of any system, no hidden file, and no character
/// that a person who is asked about the call would not see.
fn file_name(arguments: &Arguments) -> Result<String, Outcome> {
    let name: String = arguments.required("name")?;
    let is_path = name.contains(['/', '\\', ':']);
    let is_seen = visible(name.as_bytes()) == name;
    let good = !name.is_empty() && !name.starts_with('.') && !is_path && is_seen;
    good.then_some(name).ok_or_else(|| {
        let text = "argument `name` must be a plain file name, without a path";
        Outcome::failure(text)
    })
}
// ANCHOR_END: file-name

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The kind of the error alone: its full text may name paths of this machine.
fn failed(what: &str, name: &str, error: &io::Error) -> Outcome {
    Outcome::failure(&format!("cannot {what} {name}: {}", error.kind()))
}
