//! What a server does with input of every kind: bad, big, a lot at once.

mod common;

use common::serving::*;
use mcp_from_scratch::{
    frame::{FrameError, Framing},
    server::ServeError,
    tool::echo,
};

const BOTH: [Framing; 2] = [Framing::Newline, Framing::ContentLength];

/// What an echo server answers, frame by frame.
async fn answers(framing: Framing, input: &[u8]) -> Vec<String> {
    let (output, end) = talk(server().with(echo()), Some(framing), input).await;
    assert!(end.is_ok(), "{end:?}");
    bodies(framing, &output)
}

fn parse_error(reason: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":-32700,"message":"{reason}"}}}}"#
    )
}

fn echo_call(id: usize, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"{text}"}}}}}}"#
    )
}

#[tokio::test]
async fn a_bad_line_is_answered_once_and_the_server_goes_on() {
    for (line, reason) in [
        ("{", "not JSON: EOF while parsing an object at line 1 column 1"),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}"#,
            "not JSON: expected value at line 1 column 55",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
            "not JSON: trailing characters at line 1 column 41",
        ),
    ] {
        for framing in BOTH {
            let input = framed(framing, [line, &ping(9)]);
            assert_eq!(
                [parse_error(reason), pong(9)],
                answers(framing, &input).await[..],
                "{framing}: {line}"
            );
        }
    }
}

#[tokio::test]
async fn a_line_that_is_not_utf_8_is_answered_once_and_the_server_goes_on() {
    let bad = b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"p\xffing\"}";
    for framing in BOTH {
        let input = [framing.encode(bad), framing.encode(ping(9).as_bytes())].concat();
        let expected = [parse_error("not UTF-8: byte 35 begins no character"), pong(9)];
        assert_eq!(expected, answers(framing, &input).await[..]);
    }
}

#[tokio::test]
async fn a_request_with_one_bad_member_fails_under_its_own_id() {
    let lines = [
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, "1", -32600),
        (r#"{"id":2,"method":"ping"}"#, "2", -32600),
        (r#"{"jsonrpc":"2.0","id":"3","method":"ping","params":[]}"#, r#""3""#, -32602),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "null", -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "null", -32600),
        (r#"{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}"#, "null", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "null", -32600),
    ];
    for (line, id, code) in lines {
        let heard = answers(Framing::Newline, line.as_bytes()).await;
        let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"#);
        assert_eq!(1, heard.len(), "{line}");
        assert!(heard[0].starts_with(&start), "{line}: {}", heard[0]);
    }
}

#[tokio::test]
async fn blank_lines_and_line_ends_of_other_systems_are_passed_over() {
    let input = format!("\u{feff}{}\r\n\n   \n\r\n\t\n{}\r\n", ping(1), ping(2));
    assert_eq!(
        [pong(1), pong(2)],
        answers(Framing::Newline, input.as_bytes()).await[..]
    );
}

#[tokio::test]
async fn noise_between_frames_is_not_answered() {
    let frame = |id| framed(Framing::ContentLength, [ping(id).as_str()]);
    let noise = b"Info: parsed 35 declarations\n[cache] warm\n".to_vec();
    let input = [noise.clone(), frame(1), noise, frame(2)].concat();
    assert_eq!([pong(1), pong(2)], answers(Framing::ContentLength, &input).await[..]);
}

#[tokio::test]
async fn a_bad_header_is_answered_once_and_the_server_goes_on() {
    for (header, reason) in [
        (
            "Content-Length: -1",
            "bad header: Content-Length must be decimal digits, got `-1`",
        ),
        ("Content-Length: 999999999999", "a body is longer than 134217728 bytes"),
    ] {
        let bad = format!("{header}\r\n\r\n{}\n", ping(1));
        let good = framed(Framing::ContentLength, [ping(2).as_str()]);
        assert_eq!(
            [parse_error(reason), pong(2)],
            answers(Framing::ContentLength, &[bad.into_bytes(), good].concat()).await[..]
        );
    }
}

#[tokio::test]
async fn a_frame_that_is_cut_short_by_the_end_is_not_answered() {
    let input = framed(Framing::ContentLength, [ping(1).as_str(), ping(2).as_str()]);
    for missing in 1..framed(Framing::ContentLength, [ping(2).as_str()]).len() {
        let input = &input[..input.len() - missing];
        assert_eq!([pong(1)], answers(Framing::ContentLength, input).await[..]);
    }
}

#[tokio::test]
async fn the_other_framing_ends_the_server_with_an_error() {
    for (ours, theirs) in [
        (Framing::Newline, Framing::ContentLength),
        (Framing::ContentLength, Framing::Newline),
    ] {
        let input = framed(theirs, [INITIALIZE, INITIALIZED]);
        let (output, end) = talk(server(), Some(ours), &input).await;
        assert_eq!("", String::from_utf8_lossy(&output));
        let expected = FrameError::WrongFraming { expected: ours };
        assert!(matches!(end, Err(ServeError::Framing(error)) if error == expected));
    }
}

#[tokio::test]
async fn a_server_answers_in_the_framing_that_it_is_spoken_to_in() {
    for framing in BOTH {
        let input = framed(framing, [INITIALIZE, &ping(1)]);
        let (output, end) = talk(server(), None, &input).await;
        assert!(end.is_ok());
        assert_eq!(pong(1), bodies(framing, &output)[1]);
    }
}

#[tokio::test]
async fn no_input_is_no_output_and_a_clean_end() {
    for framing in [None, Some(Framing::Newline), Some(Framing::ContentLength)] {
        for input in ["", "\n", "\r\n\r\n", "\u{feff}"] {
            let (output, end) = talk(server(), framing, input.as_bytes()).await;
            assert!(output.is_empty() && end.is_ok(), "{framing:?} {input:?}");
        }
    }
}

/// More than the streams between them hold, in both directions: whoever waits for a
/// write before it reads would wait for ever.
#[tokio::test]
async fn a_thousand_requests_may_be_sent_before_an_answer_is_read() {
    let mut client = Client::connect(server().with(echo()), Framing::Newline).await;
    let text = "x".repeat(1000);
    for id in 0..1000 {
        client.say(&echo_call(id, &text)).await;
    }
    soon(client.transport.sender.flush()).await.expect("written");
    for id in 0..1000 {
        assert_eq!(said(id, &text), client.hear().await);
    }
    assert!(client.end().await.is_empty());
}

#[tokio::test]
async fn a_message_of_16_mib_comes_back_whole() {
    let mut client =
        Client::connect(server().with(echo()), Framing::ContentLength).await;
    let text = "你好 MCP! ".repeat(16 * 1024 * 1024 / 12);
    client.say(&echo_call(1, &text)).await;
    assert!(said(1, &text) == client.hear().await, "not the same text");
}
