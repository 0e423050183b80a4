use super::*;

fn bodies() -> Vec<String> {
    let texts = [PING, r#"{"text":"你好 😀"}"#, "{}", "[1]", NEXT];
    texts.map(str::to_owned).to_vec()
}

fn stream(framing: Framing) -> Vec<u8> {
    bodies().iter().flat_map(|body| framing.encode(body.as_bytes())).collect()
}

/// What comes after each chunk, to the end.
fn read_chunks(framing: Framing, chunks: &[&[u8]]) -> Vec<Vec<Found>> {
    let mut reader = FrameReader::new(Some(framing), SMALL);
    let mut found = Vec::new();
    for chunk in chunks {
        reader.feed(chunk);
        found.push(ready(&mut reader));
    }
    assert_eq!(None, reader.finish(), "nothing is left at the end");
    found
}

#[test]
fn a_stream_cut_anywhere_gives_the_same_bodies() {
    for framing in FRAMINGS {
        let stream = stream(framing);
        for at in 0..=stream.len() {
            let found = read_chunks(framing, &[&stream[..at], &stream[at..]]).concat();
            assert_eq!(bodies().into_iter().map(Ok).collect::<Vec<_>>(), found, "{at}");
        }
    }
}

#[test]
fn a_stream_cut_twice_gives_the_same_bodies() {
    for framing in FRAMINGS {
        let stream = stream(framing);
        for second in 0..=stream.len() {
            for first in 0..=second {
                let (start, rest) = stream.split_at(second);
                let chunks = [&start[..first], &start[first..], rest];
                let found = read_chunks(framing, &chunks).concat();
                assert_eq!(bodies().len(), found.iter().flatten().count());
                assert!(found.into_iter().eq(bodies().into_iter().map(Ok)));
            }
        }
    }
}

#[test]
fn a_frame_is_given_as_soon_as_its_last_byte_has_come() {
    for framing in FRAMINGS {
        let frame = framing.encode(PING.as_bytes());
        let (start, last) = frame.split_at(frame.len() - 1);
        let found = read_chunks(framing, &[start, last]);
        assert_eq!([vec![], vec![body(PING)]], found[..], "{framing}");
    }
}

#[test]
fn several_frames_in_one_chunk_are_given_and_the_rest_is_kept() {
    for framing in FRAMINGS {
        let [first, second] = [PING, NEXT].map(|body| framing.encode(body.as_bytes()));
        let chunk = [&first[..], &second, &first[..25]].concat();
        let found = read_chunks(framing, &[&chunk, &first[25..]]);
        let expected = [vec![body(PING), body(NEXT)], vec![body(PING)]];
        assert_eq!(expected, found[..], "{framing}");
    }
}

#[test]
fn noise_between_frames_gives_one_account_however_it_is_cut() {
    let noise = "cache warm: 12 entries\n";
    for framing in FRAMINGS {
        let frame = framing.encode(PING.as_bytes());
        let stream = [noise.as_bytes(), &frame, noise.as_bytes(), &frame].concat();
        let whole = read(framing, &stream);
        assert_eq!(4, whole.len(), "{whole:?}");
        for chunk in 1..stream.len() {
            assert_eq!(whole, read_in(Some(framing), chunk, &stream), "by {chunk}");
        }
    }
}
