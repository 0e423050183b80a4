//! The rules of the two framings and of the reader, in a file for each.
//!
//! Sources: MCP, basic/transports, stdio; LSP 3.17, Base Protocol.

mod content_length;
mod cuts;
mod detection;
mod limits;
mod newline;

use mcp_from_scratch::frame::{FrameError, FrameReader, Framing};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const NEXT: &str = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;

/// What a reader finds: a body, or an account of what it skipped.
type Found = Result<String, FrameError>;

const FRAMINGS: [Framing; 2] = [Framing::Newline, Framing::ContentLength];
const SMALL: usize = 1024;

/// All that is found in a stream that comes in chunks of so many bytes, to its end.
fn read_in(framing: Option<Framing>, chunk: usize, stream: &[u8]) -> Vec<Found> {
    let mut reader = FrameReader::new(framing, SMALL);
    let mut found = Vec::new();
    for chunk in stream.chunks(chunk) {
        reader.feed(chunk);
        found.extend(ready(&mut reader));
    }
    found.extend(reader.finish().map(text));
    found
}

/// The same, after it was seen that whole and byte by byte make no difference.
#[track_caller]
fn read(framing: Framing, stream: impl AsRef<[u8]>) -> Vec<Found> {
    let stream = stream.as_ref();
    let whole = read_in(Some(framing), stream.len().max(1), stream);
    let bytewise = read_in(Some(framing), 1, stream);
    assert_eq!(whole, bytewise, "whole on the left, byte by byte on the right");
    whole
}

/// What is ready now; nothing after [`FrameError::WrongFraming`].
fn ready(reader: &mut FrameReader) -> Vec<Found> {
    let mut found = Vec::new();
    while let Some(next) = reader.next_frame() {
        let wrong = matches!(next, Err(FrameError::WrongFraming { .. }));
        found.push(text(next));
        if wrong {
            break;
        }
    }
    found
}

fn text(found: Result<Vec<u8>, FrameError>) -> Found {
    found.map(|body| String::from_utf8(body.to_vec()).expect("UTF-8 in these tests"))
}

fn body(text: &str) -> Found {
    Ok(text.to_owned())
}

fn noise(bytes: usize, sample: &str) -> Found {
    Err(FrameError::Noise { bytes, sample: sample.into() })
}

fn bad_header(reason: &str) -> Found {
    Err(FrameError::BadHeader(reason.into()))
}

fn too_long(what: &'static str, limit: usize) -> Found {
    Err(FrameError::TooLong { what, limit })
}

fn truncated(got: usize, wanted: Option<usize>) -> Found {
    Err(FrameError::Truncated { got, wanted })
}

fn headed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}
