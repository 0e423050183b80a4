//! Task 2.8: keep endless input from filling the memory

use super::*;

#[test]
fn the_longest_body_is_read_and_one_byte_more_is_not() {
    judge(
        "2.8",
        "a body of `max` bytes is read; a longer one is reported and skipped",
        || {
            let [longest, longer] =
                [0, 1].map(|more| format!("\"{}\"", "a".repeat(SMALL - 2 + more)));
            let too_long = Found::TooLong(SMALL);
            let likely = "`max` limits the body: line ends and headers do not count";
            let reads =
                |reading: Reading, expected: &[Found], given: &str, stream: String| {
                    let bytes = stream.as_bytes();
                    reading.compare(expected, [bytes], given, likely)?;
                    reading.compare(expected, bytes.chunks(1), given, KEPT)
                };
            for end in ["\n", "\r\n"] {
                let stream = format!("{longest}{end}{longer}{end}{PING}{end}{longer}");
                let bodies = [body(&longest), body(PING)];
                let [longest, ping] = bodies;
                let expected = [longest, too_long.clone(), ping, too_long.clone()];
                let given = format!("lines of {SMALL}, {0}, 40, {0} bytes", SMALL + 1);
                reads(LINES, &expected, &given, stream)?;
            }
            let stream = [&longest, &longer, PING].map(with_header).concat();
            let noise = Found::Noise(SMALL + 1);
            let expected = [body(&longest), too_long, noise, body(PING)];
            let given =
                format!("bodies of {SMALL}, {}, 40 bytes with headers", SMALL + 1);
            reads(HEADERS, &expected, &given, stream)
        },
    );
}

#[test]
fn an_endless_line_is_reported_once_and_before_it_ends() {
    judge("2.8", "an endless line is an error at once, and only once", || {
        let mut reader = LINES.reader();
        let likely = "the end may never arrive: report the line as soon as it is too \
                      long, then drop the rest of it";
        let got = fed(&mut reader, &[b'a'; 2 * SMALL])?;
        same_frames(&[Found::TooLong(SMALL)], &got)
            .given(format!("{} bytes of a line", 2 * SMALL))
            .likely(likely)?;
        let got = fed(&mut reader, &[b'a'; 2 * SMALL])?;
        same_frames(&[], &got)
            .given("the same number of bytes again")
            .likely(likely)?;
        let got = fed(&mut reader, format!("b\n{PING}\n").as_bytes())?;
        same_frames(&[body(PING)], &got)
            .given(format!("b\\n{PING}\\n"))
            .likely("drop the long line up to its end, then read the next line")
    });
}

#[test]
fn a_hostile_length_is_rejected_when_its_header_ends() {
    judge(
        "2.8",
        "a length above the limit is rejected before the body arrives",
        || {
            let lengths =
                ["1025", "99999999999", "18446744073709551616", &"9".repeat(500)];
            for length in lengths {
                let mut reader = HEADERS.reader();
                let header = format!("Content-Length: {length}\r\n\r\n");
                let got = fed(&mut reader, header.as_bytes())?;
                let fits = length.len() < 15;
                let is_reported = got == [Found::TooLong(SMALL)]
                    || (!fits && got == [Found::BadHeader]);
                let got = shown(&got);
                holds(
                    is_reported,
                    format_args!("an error: longer than {SMALL} bytes"),
                    format_args!("{got}"),
                )
                .given(truncate_escaped(header.as_bytes(), 60))
                .likely("check the limit before you wait for the body or keep it")?;
                let got = fed(&mut reader, with_header(PING).as_bytes())?;
                same_frames(&[body(PING)], &got).given("then a good frame").likely(
                    "a rejected frame does not end the stream: find the next header",
                )?;
            }
            Ok(())
        },
    );
}

#[test]
fn an_endless_header_line_is_reported_once_and_before_it_ends() {
    judge("2.8", "an endless header line is an error at once, and only once", || {
        for start in ["a", "Content-Length: 4", "X-Y: z"] {
            let mut reader = HEADERS.reader();
            let mut found = Vec::new();
            let long = start.to_owned() + &"4".repeat(MAX_HEADER_LINE);
            found.extend(fed(&mut reader, with_header(PING).as_bytes())?);
            for piece in [&long, &long, &long] {
                found.extend(fed(&mut reader, piece.as_bytes())?);
            }
            same_frames(&[body(PING), Found::TooLong(MAX_HEADER_LINE)], &found)
                .given(format!("{start}444… (repeated), {} bytes", 3 * long.len()))
                .likely(
                    "report a line as soon as it is longer than `MAX_HEADER_LINE`",
                )?;
            let got =
                fed(&mut reader, format!("4\r\n\r\n{}", with_header(NEXT)).as_bytes())?;
            same_frames(&[body(NEXT)], &got)
                .given("then its end and a good frame")
                .likely("report the line only once, and read the next header")?;
        }
        Ok(())
    });
}

#[test]
fn after_an_endless_line_frames_are_found_again() {
    judge("2.8", "after a line that is too long frames are found again", || {
        let long = "a ".repeat(2 * MAX_HEADER_LINE);
        let stream =
            [&with_header(PING), &long, &with_header(NEXT), &with_header(HELLO)];
        let stream = stream.map(String::as_str).concat();
        for length in [stream.len(), 1000, 7] {
            let got = HEADERS.read(stream.as_bytes().chunks(length))?;
            let errors = |found: &&Found| !matches!(found, Found::Body(_));
            let errors =
                got.iter().filter(errors).filter(|found| !found.is_noise()).count();
            let found = got.first() == Some(&body(PING))
                && got.last() == Some(&body(HELLO))
                && errors == 1;
            let got = shown(&got);
            holds(
                found,
                "the first frame, one error, and later frames",
                format_args!("{got}"),
            )
            .given(format!(
                "a frame, {} bytes of text, and directly after it two frames; in \
                 pieces of {length} bytes",
                long.len()
            ))
            .likely("the frames after the long line were dropped with it")?;
        }
        Ok(())
    });
}

#[test]
fn endless_headers_are_reported_once() {
    judge("2.8", "an endless header block is an error at once, and only once", || {
        let endless = "X-Y: z\r\n".repeat(2 * MAX_HEADERS / 8);
        let mut reader = HEADERS.reader();
        let mut found = Vec::new();
        for piece in endless.as_bytes().chunks(4096) {
            found.extend(fed(&mut reader, piece)?);
        }
        found.retain(|found| !found.is_noise());
        same_frames(&[Found::TooLong(MAX_HEADERS)], &found)
            .given(format!("X-Y: z\\r\\n (repeated), {} bytes", endless.len()))
            .likely("each line is short; limit their total length, too")?;
        let mut got =
            fed(&mut reader, format!("\r\n{}", with_header(NEXT)).as_bytes())?;
        got.retain(|found| !found.is_noise());
        same_frames(&[body(NEXT)], &got)
            .given("then an empty line and a good frame")
            .likely("report the block only once, and read the next header")
    });
}

#[test]
fn a_header_of_half_the_limit_is_read() {
    judge("2.8", "headers within the limits are accepted", || {
        let long = format!("X-Y: {}\r\n", "z".repeat(MAX_HEADER_LINE / 2));
        let stream = long.repeat(8) + &with_header(PING);
        let given = format!("eight headers of {} bytes and Content-Length", long.len());
        let likely = "the limits for a line and for a block are larger than this";
        HEADERS.compare(&[body(PING)], [stream.as_bytes()], &given, likely)
    });
}

/// A reader receives `start` and then `fill`, repeatedly.
fn keeps_little(mode: FramingMode, start: &str, fill: &str) -> Verdict {
    const MAX: usize = 8 * 1024;
    const SENT: usize = 384 * 1024;
    const HELD: usize = 256 * 1024;
    let chunk = fill.repeat(4096 / fill.len());
    let held = memory::most_held(|| {
        let mut reader = FrameReader::new(mode, MAX);
        reader.feed(start.as_bytes());
        for _ in 0..SENT / chunk.len() {
            reader.feed(chunk.as_bytes());
            while reader.next_frame().is_some() {}
        }
    });
    let kib = |bytes: usize| format!("{} KiB", bytes.div_ceil(1024));
    let (sent, max) = (kib(SENT), kib(MAX));
    holds(
        held <= HELD,
        format_args!("less than {} held", kib(HELD)),
        format_args!("{} held", kib(held)),
    )
    .given(format!("{start:?}, then {fill:?} repeated; {sent} sent, limit {max}"))
    .likely("the bytes are reported but still kept: drop them")
}

#[test]
fn endless_lines_are_not_kept() {
    judge("2.8", "endless input is not kept", || {
        let (auto, lines) = (FramingMode::Auto, LINES.mode);
        let cases =
            [(lines, "", "a"), (lines, "{", " "), (auto, "", "a"), (auto, "", " ")];
        cases
            .iter()
            .try_for_each(|(mode, start, fill)| keeps_little(*mode, start, fill))
    });
}

#[test]
fn endless_headers_and_rejected_bodies_are_not_kept() {
    judge("2.8", "endless input is not kept", || {
        let other = format!("X-Y: {}\r\n", "z".repeat(57));
        let length = format!("Content-Length: {:046}\r\n", 5);
        for (start, fill) in [
            ("", "a"),
            ("Content-Length: ", "4"),
            ("Content-Length: 268435456\r\n\r\n", "a"),
            ("", &other),
            ("", &length),
        ] {
            keeps_little(HEADERS.mode, start, fill)?;
        }
        Ok(())
    });
}
