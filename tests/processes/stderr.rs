//! The server's stderr: always drained, shown escaped, the end of it kept.

use crate::{common::limit::run, script::*};

/// A server that writes this to its stderr before it answers, then ends with its input.
async fn tail_of(script: &str) -> Vec<String> {
    let handshake = format!("{{ {script}; }} >&2; {HANDSHAKE} cat >/dev/null");
    let (client, notes) = start(&shell(&handshake));
    client.handshake().await.expect("stderr blocks nothing");
    let exit = client.close().await.expect("there is a process");
    drop(notes);
    assert_eq!(Some(0), exit.status.and_then(|status| status.code()));
    exit.stderr_tail
}

#[test]
fn ten_mebibytes_of_lines_are_drained_and_the_last_ten_kept() {
    run(async {
        let line = "x".repeat(999);
        let tail = tail_of(&format!("yes {line} | head -c 10486000")).await;
        assert_eq!(vec![line; 10], tail);
    });
}

#[test]
fn ten_mebibytes_without_a_newline_are_one_line_that_is_cut() {
    run(async {
        let tail = tail_of("head -c 10486000 /dev/zero | tr '\\0' x").await;
        let expected = "x".repeat(1000) + "…";
        assert_eq!(vec![expected], tail);
    });
}

#[test]
fn ten_mebibytes_that_are_not_text_are_shown_as_bytes() {
    run(async {
        let tail = tail_of("head -c 10486000 /dev/zero | tr '\\0' '\\377'").await;
        let [line] = &tail[..] else { panic!("expected one line, got {tail:?}") };
        assert_eq!(&(r"\xff".repeat(1000) + "…"), line);
    });
}

/// Case S10.
#[test]
fn escape_sequences_are_shown_and_not_obeyed() {
    run(async {
        let (client, mut notes) =
            ready(r"printf '\033[2Kred\r[y] \342\200\256\n' >&2; exit 3").await;
        let shown = r"\u{1b}[2Kred\r[y] \u{202e}";
        assert_eq!(shown, stderr_line(&mut notes).await);
        let error = client.ping().await.expect_err("it is gone").to_string();
        assert!(error.ends_with(&format!("on stderr: {shown}")), "{error}");
    });
}

#[test]
fn an_error_shows_the_last_ten_lines_and_no_blank_ones() {
    run(async {
        let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo; echo $i; done >&2
                      printf 'no newline' >&2; exit 3";
        let (client, _notes) = ready(script).await;
        let error = client.ping().await.expect_err("it is gone").to_string();
        let expected = "the server ended with exit status: 3; its last lines on \
                        stderr: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | no newline";
        assert_eq!(expected, error);
    });
}
