//! A stream gives the same result however it is cut, and no body above the limit.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_from_scratch::frame::{FrameError, FrameReader, Framing, FramingMode};

/// The framing, the limit, the lengths of the chunks, and the stream.
type Input<'a> = (Option<bool>, u8, Vec<u8>, &'a [u8]);

fuzz_target!(|input: Input<'_>| {
    let (framing, max, cuts, stream) = input;
    let mode = match framing {
        None => FramingMode::Auto,
        Some(true) => Framing::ContentLength.into(),
        Some(false) => Framing::Newline.into(),
    };
    let max = 1 << (max % 17);
    let whole = read(mode, max, stream, &[]);
    assert_eq!(whole, read(mode, max, stream, &cuts), "cut as the input says");
    if stream.len() <= 4096 {
        assert_eq!(whole, read(mode, max, stream, &[1]), "one byte at a time");
    }
    assert!(whole.iter().flatten().all(|body| body.len() <= max));
    let returned: usize = whole.iter().flatten().map(Vec::len).sum();
    let skipped: usize = whole.iter().filter_map(noise).sum();
    assert!(returned + skipped <= stream.len(), "no byte counts twice");
});

fn noise(found: &Result<Vec<u8>, FrameError>) -> Option<usize> {
    match found {
        Err(FrameError::Noise { bytes, .. }) => Some(*bytes),
        _ => None,
    }
}

/// Everything that the reader returns for the stream, cut into chunks of these lengths,
/// again and again.
fn read(
    mode: FramingMode,
    max: usize,
    stream: &[u8],
    cuts: &[u8],
) -> Vec<Result<Vec<u8>, FrameError>> {
    let mut reader = FrameReader::new(mode, max);
    let (mut found, mut rest) = (Vec::new(), stream);
    let mut cuts = cuts.iter().cycle();
    while !rest.is_empty() {
        let cut = cuts.next().map_or(rest.len(), |cut| usize::from(*cut).max(1));
        let (chunk, more) = rest.split_at(rest.len().min(cut));
        rest = more;
        reader.feed(chunk);
        while let Some(next) = reader.next_frame() {
            let is_closed = matches!(next, Err(FrameError::WrongFraming { .. }));
            found.push(next);
            if is_closed {
                return found; // the connection ends here
            }
        }
    }
    found.extend(reader.finish());
    found
}
