//! What holds for every message and for every sequence of bytes.

use crate::common::messages::message;
use mcp_from_scratch::jsonrpc::{Message, parse};
use proptest::{collection::vec, prelude::*};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None, // what fails here becomes a test of the codec
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_message_comes_back_from_its_bytes(message in message()) {
        let body = message.encode();
        prop_assert_eq!(&message, &parse(&body).unwrap());
        prop_assert_eq!(body, parse(&message.encode()).expect("a message").encode());
    }

    #[test]
    fn an_encoded_message_is_one_line(message in message()) {
        prop_assert!(!message.encode().contains(&b'\n'));
    }

    #[test]
    fn any_bytes_are_a_message_or_malformed(bytes in vec(any::<u8>(), 0..200)) {
        check(&bytes)?;
    }

    #[test]
    fn a_damaged_message_is_a_message_or_malformed(
        message in message(),
        damage in vec((any::<prop::sample::Index>(), any::<Option<u8>>()), 1..6),
    ) {
        let mut body = message.encode();
        for (at, byte) in damage {
            let at = at.index(body.len());
            match byte {
                Some(byte) => body[at] = byte,
                None => body.truncate(at.max(1)),
            }
        }
        check(&body)?;
    }

    #[test]
    fn any_members_are_a_message_or_malformed(members in vec(member(), 0..8)) {
        check(format!("{{{}}}", members.join(",")).as_bytes())?;
    }
}

/// One member with a value that may or may not suit it.
fn member() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "jsonrpc", "id", "method", "params", "result", "error", "x",
    ]);
    let value = prop::sample::select(vec![
        r#""2.0""#,
        "1",
        "null",
        r#""ping""#,
        "{}",
        "[]",
        "1.5",
        r#""\ud800""#,
        r#"{"code":1,"message":"x"}"#,
    ]);
    (name, value).prop_map(|(name, value)| format!("\"{name}\":{value}"))
}

/// What is a message survives another round; everything else has one of three codes, and
/// its answer, if one is owed, is a message too.
fn check(body: &[u8]) -> Result<(), TestCaseError> {
    match parse(body) {
        Ok(message) => {
            prop_assert_eq!(&message, &parse(&message.encode()).expect("a message"))
        }
        Err(malformed) => {
            prop_assert!([-32700, -32600, -32602].contains(&malformed.code));
            if let Some(reply) = malformed.reply().map(Message::Response) {
                prop_assert_eq!(&reply, &parse(&reply.encode()).expect("a message"));
            }
        }
    }
    Ok(())
}
