//! Task 2.6: distinguish an end inside a frame from a clean end

use super::*;

#[test]
fn an_end_between_frames_is_clean() {
    judge("2.6", "an end after a complete frame is not an error", || {
        let likely = "nothing remains, so there is nothing to report";
        HEADERS.gives(&[], "", likely)?;
        HEADERS.gives(&[body(PING)], with_header(PING), likely)
    });
}

#[test]
fn an_end_inside_a_header_is_reported() {
    judge("2.6", "an end at any byte of a header is an end inside a frame", || {
        let first = with_header(PING);
        let header = format!("Content-Length: {}\r\n\r\n", NEXT.len());
        for at in 1..header.len() {
            let stream = format!("{first}{}", &header[..at]);
            let got = HEADERS.read([stream.as_bytes()])?;
            let is_reported = matches!(got[..], [Found::Body(_), Found::Truncated(..)]);
            let got = shown(&got);
            holds(
                is_reported,
                "a body, then FrameError::Truncated",
                format_args!("{got}"),
            )
            .given(format!("{}  (end of input)", escape_untrusted(stream.as_bytes())))
            .likely("the start of a header is lost and not reported")?;
        }
        Ok(())
    });
}

#[test]
fn an_end_inside_a_body_reports_both_lengths() {
    judge("2.6", "an end inside a body is reported with both numbers of bytes", || {
        let (first, second) = (with_header(PING), with_header(HELLO));
        let header = second.len() - HELLO.len();
        for got in 0..HELLO.len() {
            let stream =
                [first.as_bytes(), &second.as_bytes()[..header + got]].concat();
            let expected = [body(PING), Found::Truncated(got, Some(HELLO.len()))];
            let given = format!("{}  (end of input)", escape_untrusted(&stream));
            let likely = "half a body was returned, or `got` includes the header";
            HEADERS.compare(&expected, [&stream[..]], &given, likely)?;
        }
        Ok(())
    });
}
