use super::*;
use anyhow::Result;

fn committed(name: &str) -> Result<Recording> {
    let path =
        crate::root().join("book/src/recordings").join(name).with_extension("json");
    Ok(serde_json::from_str(&files::read(&path)?)?)
}

/// The bodies of a transcript and of a recording, with their directions.
fn bodies(transcript: &str) -> Vec<(cut::Side, String)> {
    let line = |line: &str| {
        let line = line.trim();
        let (side, body) = match line.strip_prefix("[mcp:send]") {
            Some(body) => (cut::Side::Client, body),
            None => (cut::Side::Server, line.strip_prefix("[mcp:receive]")?),
        };
        Some((side, body.trim().to_owned()))
    };
    transcript.lines().filter_map(line).collect()
}

fn frames(recording: Recording) -> Vec<(cut::Side, String)> {
    let body = |step: Step| match step.passed.what {
        cut::Piece::Frame { body, .. } => Some((step.passed.from, body)),
        _ => None,
    };
    recording.steps.into_iter().filter_map(body).collect()
}

#[test]
fn a_recording_holds_the_frames_of_its_stage_s_transcript() -> Result<()> {
    for (name, stage) in [
        ("03-newline", "03-echo-server"),
        ("04-content-length", "04-client-lifecycle"),
        ("05-content-length", "05-registry-bridge"),
        ("06-content-length", "06-full-demo"),
    ] {
        let transcript =
            crate::root().join("chapters").join(stage).join("transcript.txt");
        let expected = bodies(&files::read(&transcript)?);
        assert_eq!(expected, frames(committed(name)?), "{name}");
    }
    Ok(())
}

#[test]
fn the_text_is_safe_inside_a_script_element() -> Result<()> {
    let mut recording = committed("nihao")?;
    recording.client = "</script> {{#include x}}".into();
    let text = to_text(&recording)?;
    for trap in ["<", "{{#", "\n\n"] {
        assert!(!text.contains(trap), "{trap:?} in {text}");
    }
    assert_eq!(recording, serde_json::from_str(&text)?);
    Ok(())
}
