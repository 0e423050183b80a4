//! Task 2.4: read a header

use super::*;

fn is_field(name: &str, value: &str, line: &str) -> Verdict {
    let got = header_field(line.as_bytes());
    let shown = got.map(|(name, value)| {
        (escape_untrusted(name), escape_untrusted(value.trim_ascii()))
    });
    same(Some((name.to_owned(), value.to_owned())), shown)
        .given(escape_untrusted(line.as_bytes()))
}

fn is_no_field(line: &str, likely: &str) -> Verdict {
    let got = header_field(line.as_bytes());
    let shown =
        got.map(|(name, value)| (escape_untrusted(name), escape_untrusted(value)));
    same(None, shown).given(escape_untrusted(line.as_bytes())).likely(likely)
}

#[test]
fn a_header_is_split_at_its_first_colon() {
    judge("2.4", "a header is a name, a colon, a value and `\\r\\n`", || {
        let likely = "the first colon ends the name; the value may contain more";
        is_field("Content-Length", "40", "Content-Length: 40\r\n").likely(likely)?;
        is_field("content-length", "40", "content-length:40\r\n").likely(likely)?;
        is_field("X-Trace", "a:b", "X-Trace: a:b\r\n").likely(likely)?;
        is_field("Content-Length", "-1", "Content-Length: -1\r\n").likely(
            "a header with a bad value is a header: the value is parsed later",
        )?;
        is_field("Content-Type", "", "Content-Type:\r\n").likely(likely)
    });
}

#[test]
fn a_line_of_another_form_is_not_a_header() {
    judge(
        "2.4",
        "a name is letters, digits and hyphens, and the line is complete",
        || {
            for line in [
                "ready\r\n",
                ": 5\r\n",
                "The length: 5\r\n",
                "{\"id\":1}\r\n",
                "长度: 5\r\n",
                "\r\n",
                "",
            ] {
                let likely = "check every byte of the name; there must be at least one";
                is_no_field(line, likely)?;
            }
            let likely = "without its end a line may continue";
            is_no_field("Content-Length: 40", likely)
        },
    );
}

#[test]
fn a_bare_line_feed_ends_the_known_headers_only() {
    judge("2.4", "`\\n` alone is accepted after Content-Length and -Type", || {
        let likely = "some peers write a bare line feed: do not wait for a `\\r`";
        is_field("Content-Length", "40", "Content-Length: 40\n").likely(likely)?;
        is_field("CONTENT-TYPE", "x", "CONTENT-TYPE: x\n").likely(likely)?;
        let likely = "a log line such as this one would count as a header";
        is_no_field("Info: ready\n", likely)?;
        is_no_field("X-Content-Length: 5\n", "compare the whole name, not a part of it")
    });
}

#[test]
fn a_length_is_decimal_digits() {
    judge("2.4", "a length is decimal digits, with whitespace around them", || {
        let good: [(usize, &str); 7] = [
            (40, "40"),
            (40, " 40"),
            (40, "   40"),
            (40, "\t40"),
            (40, " 40 "),
            (40, " 0040"),
            (0, "0"),
        ];
        for (expected, value) in good {
            let got = content_length(value.as_bytes());
            same(Ok(expected), got.map_err(|_| "an error"))
                .given(format!("{value:?}"))
                .likely("ignore whitespace around the digits and zeros before them")?;
        }
        Ok(())
    });
}

#[test]
fn any_other_length_is_an_error() {
    judge("2.4", "a value that is not all digits is a bad header", || {
        for value in
            ["-1", "+40", "0x28", "40;", "40, 40", "", " ", "4e1", "٤٠", "4 0", "40.0"]
        {
            let got = content_length(value.as_bytes());
            let refused = matches!(got, Err(FrameError::BadHeader(_)));
            holds(refused, "FrameError::BadHeader", got)
                .given(format!("{value:?}"))
                .likely(
                    "`parse` accepts `+40`, and `as` converts -1: check the digits",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_length_that_does_not_fit_is_not_a_small_one() {
    judge(
        "2.4",
        "digits that do not fit a `usize` are above any limit, or an error",
        || {
            let value = "4294967301";
            let got = content_length(value.as_bytes());
            let large = matches!(got, Err(_) | Ok(4_294_967_301..));
            holds(large, "4294967301 or more, or an error", got).given(value).likely(
                "cut to 32 bits it is 5, and the rest of the body would be noise",
            )?;
            for value in ["18446744073709551616", &"9".repeat(500)] {
                let got = content_length(value.as_bytes());
                let large = matches!(got, Err(_) | Ok(usize::MAX));
                holds(large, "usize::MAX, or an error", got)
                    .given(truncate_escaped(value.as_bytes(), 40))
                    .likely("the number wraps around; `checked_mul` reports that")?;
            }
            Ok(())
        },
    );
}
