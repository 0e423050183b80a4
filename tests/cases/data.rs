//! The data file: what a case's bytes are and what must come of them.

use crate::{client, codec, files, frames, schema, server};
use mcp_from_scratch::frame::Framing;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

pub const FILE: &str = include_str!("cases.jsonl");

/// One line of the file. An unknown member is an error there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub id: String,
    /// What must hold, for people.
    pub holds: String,
    #[serde(default)]
    pub server: Vec<server::Run>,
    #[serde(default)]
    pub client: Vec<client::Run>,
    #[serde(default)]
    pub frames: Vec<frames::Run>,
    #[serde(default)]
    pub codec: Vec<codec::Run>,
    #[serde(default)]
    pub schema: Vec<schema::Run>,
    #[serde(default)]
    pub files: Vec<files::Run>,
    /// Tests outside the file that decide it, or a part of it: `path.rs::name`.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Decided with a part of the project that is not there yet, or in part.
    pub comes_with: Option<String>,
}

impl Case {
    /// Each kind of run that the case has, and how many.
    pub fn runs(&self) -> Vec<(&'static str, usize)> {
        let all = [
            ("server", self.server.len()),
            ("client", self.client.len()),
            ("frames", self.frames.len()),
            ("codec", self.codec.len()),
            ("schema", self.schema.len()),
            ("files", self.files.len()),
        ];
        all.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// Whether anything decides it today.
    pub fn is_decided(&self) -> bool {
        !self.runs().is_empty() || !self.tests.is_empty()
    }
}

pub fn cases() -> Vec<Case> {
    let read = |line| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"))
    };
    FILE.lines().map(read).collect()
}

/// A part of an input. A text is itself, except the names of two messages.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub enum Piece {
    Text(String),
    Bytes {
        hex: String,
    },
    Many {
        repeat: String,
        times: usize,
    },
    Joined(Vec<Piece>),
    /// Any other object is a message, written compactly.
    Message(Value),
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const ALIVE: &str = r#"{"jsonrpc":"2.0","id":"alive","method":"ping"}"#;

impl Piece {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => match text.as_str() {
                "@initialize" => INITIALIZE.into(),
                "@initialized" => INITIALIZED.into(),
                "@alive" => ALIVE.into(),
                text => text.into(),
            },
            Self::Bytes { hex } => {
                let digits: Vec<_> = hex.as_bytes().chunks(2).collect();
                let byte = |two: &[u8]| {
                    let two = std::str::from_utf8(two).expect("ASCII");
                    u8::from_str_radix(two, 16).expect("two hexadecimal digits")
                };
                digits.into_iter().map(byte).collect()
            }
            Self::Many { repeat, times } => repeat.repeat(*times).into(),
            Self::Joined(pieces) => joined(pieces),
            Self::Message(message) => message.to_string().into(),
        }
    }
}

pub fn joined(pieces: &[Piece]) -> Vec<u8> {
    pieces.iter().flat_map(Piece::bytes).collect()
}

/// In which framings a run is done.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Framings {
    #[default]
    Any,
    Newline,
    ContentLength,
}

impl Framings {
    pub fn each(self) -> &'static [Framing] {
        match self {
            Self::Any => &[Framing::Newline, Framing::ContentLength],
            Self::Newline => &[Framing::Newline],
            Self::ContentLength => &[Framing::ContentLength],
        }
    }
}

/// `newline` or `content-length`.
pub fn framing<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Framing>, D::Error> {
    let name = Option::<String>::deserialize(from)?;
    name.map(|name| name.parse().map_err(serde::de::Error::custom)).transpose()
}

#[test]
fn pieces_are_joined_to_the_very_bytes() {
    let pieces =
        r#"["a",{"hex":"ff00"},{"repeat":"xy","times":2},{"jsonrpc":"2.0"},["b"]]"#;
    let pieces: Vec<Piece> = serde_json::from_str(pieces).expect("pieces");
    assert_eq!(b"a\xff\0xyxy{\"jsonrpc\":\"2.0\"}b".to_vec(), joined(&pieces));
}

#[test]
fn an_unknown_member_is_an_error() {
    let line = r#"{"id":"X1","holds":"h","expects":[]}"#;
    let error = serde_json::from_str::<Case>(line).err().expect("an error");
    assert!(error.to_string().contains("unknown field `expects`"), "{error}");
}
