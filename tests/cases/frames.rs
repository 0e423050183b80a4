//! Bytes for a frame reader: the bodies and the account, however the bytes are cut.

use crate::{
    data::{Piece, framing},
    pattern::check,
};
use mcp_from_scratch::frame::{
    FrameError, FrameReader, Framing, FramingMode, MAX_MESSAGE,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// None: the first bytes decide.
    #[serde(default, deserialize_with = "framing")]
    framing: Option<Framing>,
    max: Option<usize>,
    bytes: Piece,
    /// What comes out when the bytes have come: a body as a string, or
    /// `{"error":pattern}`.
    gives: Vec<Value>,
    /// What comes next, and what it gives.
    #[serde(default)]
    more: Vec<(Piece, Vec<Value>)>,
    /// What the end of input gives.
    #[serde(default)]
    end: Vec<Value>,
    /// Every part of the input that ends inside a frame ends with an error.
    #[serde(default)]
    cut_short: bool,
}

impl Run {
    pub fn check(&self) {
        let first = (&self.bytes, &self.gives);
        let more = self.more.iter().map(|(bytes, gives)| (bytes, gives));
        let (mut reader, mut whole) = (self.reader(), Vec::new());
        let mut all = Vec::new();
        for (bytes, gives) in std::iter::once(first).chain(more) {
            reader.feed(&bytes.bytes());
            compare(gives, &taken(&mut reader), "in the given parts");
            whole.extend(bytes.bytes());
            all.extend(gives.iter().cloned());
        }
        let over = all.last().is_some_and(ends);
        let end = if over { None } else { reader.finish() };
        let end: Vec<_> = end.map(shown).into_iter().collect();
        compare(&self.end, &end, "at the end");
        all.extend(self.end.iter().cloned());
        self.cut_everywhere(&whole, &all);
    }

    fn cut_everywhere(&self, whole: &[u8], all: &[Value]) {
        compare(all, &self.read(whole, &[]), "whole");
        let bytes: Vec<_> = (1..whole.len()).collect();
        compare(all, &self.read(whole, &bytes), "one byte at a time");
        // A long input is cut here and there: each cut costs a whole reading.
        let step = if whole.len() < 1000 { 1 } else { whole.len() / 50 };
        for at in (1..whole.len()).step_by(step) {
            compare(all, &self.read(whole, &[at]), &format!("cut at {at}"));
            if self.cut_short {
                let found = self.read(&whole[..at], &[]);
                let last = found.last().expect("a frame or an error");
                let told = check(&json!({"error": "~input ended inside"}), last);
                let boundary = whole[at..].starts_with(b"Content-Length");
                assert_ne!(told.is_ok(), boundary, "ended at {at}: {last}");
            }
        }
    }

    fn reader(&self) -> FrameReader {
        FrameReader::new(
            self.framing.map_or(FramingMode::Auto, Into::into),
            self.max.unwrap_or(MAX_MESSAGE),
        )
    }

    /// The whole account of a stream that was cut at these places.
    fn read(&self, stream: &[u8], cuts: &[usize]) -> Vec<Value> {
        let (mut reader, mut found, mut from) = (self.reader(), Vec::new(), 0);
        for to in cuts.iter().copied().chain([stream.len()]) {
            reader.feed(&stream[from..to]);
            found.extend(taken(&mut reader));
            from = to;
            if found.last().is_some_and(ends) {
                return found;
            }
        }
        found.extend(reader.finish().map(shown));
        found
    }
}

fn taken(reader: &mut FrameReader) -> Vec<Value> {
    let mut found = Vec::new();
    while let Some(next) = reader.next_frame() {
        found.push(shown(next));
        if found.last().is_some_and(ends) {
            break;
        }
    }
    found
}

fn shown(found: Result<Vec<u8>, FrameError>) -> Value {
    match found {
        Ok(body) => Value::from(String::from_utf8_lossy(&body)),
        Err(error) => json!({ "error": error.to_string() }),
    }
}

/// After the wrong framing a reader is not asked again.
fn ends(found: &Value) -> bool {
    found["error"].as_str().is_some_and(|text| text.starts_with("the peer uses"))
}

#[track_caller]
fn compare(expected: &[Value], found: &[Value], how: &str) {
    let (expected, found) = (Value::from(expected), Value::from(found));
    check(&expected, &found).unwrap_or_else(|why| {
        panic!("{how}: {why}\nexpected {expected}\nfound {found}")
    });
}
