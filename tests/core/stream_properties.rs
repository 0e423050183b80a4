//! From messages to bytes and back, with whatever a peer may print in between.

use crate::common::messages::message;
use mcp_from_scratch::{
    frame::{FrameError, FrameReader, Framing, FramingMode, MAX_MESSAGE},
    jsonrpc::{Message, parse},
};
use proptest::{collection::vec, prelude::*};

/// A line of any bytes that no reader takes for a message or a header.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..40).prop_map(|mut line| {
        line.retain(|byte| *byte != b'\n');
        [b"#", &line[..], b".\n"].concat()
    })
}

/// What came out: messages in their order, and how much noise was before each.
#[derive(Debug, Default, PartialEq)]
struct Account {
    messages: Vec<(usize, Message)>,
    /// In lines where a frame is a line, else in bytes; since the last message.
    noise: usize,
}

impl Account {
    fn take(&mut self, found: Result<Vec<u8>, FrameError>) {
        match found {
            Ok(body) => match parse(&body) {
                Ok(message) => {
                    self.messages.push((std::mem::take(&mut self.noise), message));
                }
                Err(_) => self.noise += 1,
            },
            Err(FrameError::Noise { bytes, .. }) => self.noise += bytes,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Reads a stream in chunks of these lengths, again and again.
fn read(framing: FramingMode, stream: &[u8], cuts: &[usize]) -> Account {
    let mut reader = FrameReader::new(framing, MAX_MESSAGE);
    let (mut account, mut rest) = (Account::default(), stream);
    for cut in cuts.iter().cycle() {
        let (chunk, more) = rest.split_at(rest.len().min(*cut));
        rest = more;
        reader.feed(chunk);
        while let Some(found) = reader.next_frame() {
            account.take(found);
        }
        if rest.is_empty() {
            break;
        }
    }
    reader.finish().into_iter().for_each(|last| account.take(last));
    account
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None, // what fails here becomes a test in frame/
        ..ProptestConfig::default()
    })]

    #[test]
    fn messages_come_back_and_noise_is_counted(
        parts in vec((vec(noise(), 0..3), message()), 1..8),
        last in vec(noise(), 0..3),
        cuts in prop_oneof![vec(1..4usize, 1..6), vec(1..200usize, 1..6)],
        headers: bool,
        auto: bool,
    ) {
        let framing = if headers { Framing::ContentLength } else { Framing::Newline };
        let size = |noise: &[Vec<u8>]| match headers {
            true => noise.iter().map(Vec::len).sum(),
            false => noise.len(),
        };
        let (mut stream, mut expected) = (Vec::new(), Account::default());
        for (at, (noise, message)) in parts.iter().enumerate() {
            // Noise before the first message would decide for lines.
            let noise = if at == 0 { &[][..] } else { noise };
            stream.extend(noise.concat());
            stream.extend(framing.encode(&message.encode()));
            expected.messages.push((size(noise), message.clone()));
        }
        stream.extend(last.concat());
        expected.noise = size(&last);
        let mode = if auto { FramingMode::Auto } else { framing.into() };
        prop_assert_eq!(&expected, &read(mode, &stream, &cuts));
        prop_assert_eq!(&expected, &read(mode, &stream, &[stream.len()]));
    }
}
