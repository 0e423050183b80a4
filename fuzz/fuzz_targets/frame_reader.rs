//! Any stream gives one account, however it is cut, and no body above the limit.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_from_scratch::frame::{FrameError, FrameReader, Framing};

/// Framing and limit, then how long the chunks are, then the stream.
type Input<'a> = (Option<bool>, u8, Vec<u8>, &'a [u8]);

fuzz_target!(|input: Input<'_>| {
    let (framing, max, cuts, stream) = input;
    let framing = framing.map(|headers| match headers {
        true => Framing::ContentLength,
        false => Framing::Newline,
    });
    let max = 1 << (max % 17);
    let whole = read(framing, max, stream, &[]);
    assert_eq!(whole, read(framing, max, stream, &cuts), "cut as the input says");
    if stream.len() <= 4096 {
        assert_eq!(whole, read(framing, max, stream, &[1]), "one byte at a time");
    }
    assert!(whole.iter().flatten().all(|body| body.len() <= max));
    let said: usize = whole.iter().flatten().map(Vec::len).sum();
    let skipped: usize = whole.iter().filter_map(noise).sum();
    assert!(said + skipped <= stream.len(), "no byte counts twice");
});

fn noise(found: &Result<Vec<u8>, FrameError>) -> Option<usize> {
    match found {
        Err(FrameError::Noise { bytes, .. }) => Some(*bytes),
        _ => None,
    }
}

/// All that is found in the stream, cut into chunks of these lengths again and again.
fn read(
    framing: Option<Framing>,
    max: usize,
    stream: &[u8],
    cuts: &[u8],
) -> Vec<Result<Vec<u8>, FrameError>> {
    let mut reader = FrameReader::new(framing, max);
    let (mut found, mut rest) = (Vec::new(), stream);
    let mut cuts = cuts.iter().cycle();
    while !rest.is_empty() {
        let cut = cuts.next().map_or(rest.len(), |cut| usize::from(*cut).max(1));
        let (chunk, more) = rest.split_at(rest.len().min(cut));
        rest = more;
        reader.feed(chunk);
        while let Some(next) = reader.next_frame() {
            let over = matches!(next, Err(FrameError::WrongFraming { .. }));
            found.push(next);
            if over {
                return found; // the connection ends here
            }
        }
    }
    found.extend(reader.finish());
    found
}
