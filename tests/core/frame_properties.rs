//! Properties of every stream, however its bytes are cut.

use mcp_from_scratch::frame::{FrameError, FrameReader, Framing, FramingMode};
use proptest::{collection::vec, prelude::*, sample::select};

type Found = Result<Vec<u8>, FrameError>;

const FRAMINGS: [Framing; 2] = [Framing::Newline, Framing::ContentLength];

/// Everything that the reader returns for the stream, cut into chunks of these lengths,
/// again and again.
fn read(mode: FramingMode, max: usize, stream: &[u8], cuts: &[usize]) -> Vec<Found> {
    let mut reader = FrameReader::new(mode, max);
    let (mut found, mut rest) = (Vec::new(), stream);
    for cut in cuts.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, more) = rest.split_at(rest.len().min(*cut));
        rest = more;
        reader.feed(chunk);
        while let Some(next) = reader.next_frame() {
            let wrong = matches!(next, Err(FrameError::WrongFraming { .. }));
            found.push(next.map(|body| body.to_vec()));
            if wrong {
                return found; // the connection ends here
            }
        }
    }
    found.extend(reader.finish().map(|last| last.map(|body| body.to_vec())));
    found
}

fn cuts() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![vec(1..5usize, 1..6), vec(1..80usize, 1..6)]
}

/// A body without a raw newline, as JSON is written.
fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        "\\{\"text\":\"[a-z你好é😀 \u{2028}\r]{0,30}\"\\}",
        Just(r#"{"a":"Content-Length: 5\r\n\r\n"}"#.to_owned()),
    ]
    .prop_map(String::into_bytes)
}

/// A line that is not a header.
fn noise() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9:;{}你é ]{0,20}[a-z.]\n"
}

/// Pieces of streams, good and bad, for any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = select(vec![
        "Content-Length: 5",
        "Content-Length: 12\r\n\r\n",
        "content-length:2\n\n",
        "Content-Length: 99",
        "Content-Length: x\r\n",
        "Content-Type: a\r\n",
        "X-Y: z",
        "Info: ready\r\n",
        "\r\n",
        "\r\n",
        "\n",
        "\r",
        " ",
        "\t",
        "\u{feff}",
        "{",
        "{}",
        "{\"a\":1}\n",
        "你好",
        "noise",
        "noise noise noise noise\n",
        ":",
        "Content-",
    ]);
    let piece = prop_oneof![
        9 => piece.prop_map(|text| text.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 1..4),
    ];
    vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None, // a failure becomes a test in frame.rs
        ..ProptestConfig::default()
    })]

    #[test]
    fn bodies_come_back_however_they_are_cut(
        bodies in vec(body(), 0..8), cuts in cuts(), auto: bool,
    ) {
        for framing in FRAMINGS {
            let stream: Vec<u8> = bodies.iter().flat_map(|b| framing.encode(b)).collect();
            let mode = if auto { FramingMode::Auto } else { framing.into() };
            let expected: Vec<Found> = bodies.iter().cloned().map(Ok).collect();
            prop_assert_eq!(expected, read(mode, 1000, &stream, &cuts));
        }
    }

    #[test]
    fn noise_costs_no_message_and_every_byte_is_counted(
        parts in vec((noise(), body()), 1..6), cuts in cuts(),
    ) {
        for framing in FRAMINGS {
            let mut stream = framing.encode(b"{}");
            for (noise, body) in &parts {
                stream.extend(noise.as_bytes());
                stream.extend(framing.encode(body));
            }
            let found = read(framing.into(), 1000, &stream, &cuts);
            let sent = parts.iter().map(|(_, body)| body);
            prop_assert!(sent.clone().all(|body| found.contains(&Ok(body.clone()))));
            let (returned, skipped) = count(framing, &found);
            let noise: usize = parts.iter().map(|(noise, _)| noise.len()).sum();
            match framing {
                // A noise line is a body, without its newline.
                Framing::Newline => prop_assert_eq!(stream.len(), returned + found.len()),
                Framing::ContentLength => prop_assert_eq!(noise, skipped),
            }
        }
    }

    #[test]
    fn any_stream_gives_the_same_result_however_it_is_cut(
        stream in pieces(), cuts in cuts(), mode in select(vec![
            FramingMode::Auto, Framing::Newline.into(), Framing::ContentLength.into(),
        ]), max in select(vec![8usize, 20, 1000]),
    ) {
        let whole = read(mode, max, &stream, &[usize::MAX]);
        prop_assert_eq!(&whole, &read(mode, max, &stream, &cuts));
        prop_assert_eq!(&whole, &read(mode, max, &stream, &[1]));
        prop_assert!(whole.iter().flatten().all(|body| body.len() <= max));
    }
}

/// How many bytes were returned as bodies, and how many were skipped as noise.
fn count(framing: Framing, found: &[Found]) -> (usize, usize) {
    found.iter().fold((0, 0), |(returned, skipped), found| match found {
        Ok(body) => (returned + body.len(), skipped),
        Err(FrameError::Noise { bytes, .. }) => (returned, skipped + bytes),
        Err(error) => panic!("{framing}: {error}"),
    })
}
