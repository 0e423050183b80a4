//! What holds for every message and for every sequence of bytes.

use mcp_from_scratch::jsonrpc::{
    ErrorObject, Id, Message, Notification, Request, Response, parse,
};
use proptest::{collection::vec, prelude::*};
use serde_json::{Map, Value};

/// Text with what is troublesome in JSON, in lines and in UTF-8.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z/]{0,12}",
        "[\"\\\\\n\r\t\0\u{7f}\u{2028}\u{feff}你好😀]{0,8}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::from),
        ]
    })
}

fn object(
    value: impl Strategy<Value = Value>,
) -> impl Strategy<Value = Map<String, Value>> {
    vec((text(), value), 0..4).prop_map(|members| members.into_iter().collect())
}

fn id() -> impl Strategy<Value = Id> {
    prop_oneof![
        any::<i128>().prop_map(Id::Integer),
        (-2..3i128).prop_map(Id::Integer),
        text().prop_map(Id::String),
    ]
}

fn error() -> impl Strategy<Value = ErrorObject> {
    (any::<i64>(), text(), proptest::option::of(value()))
        .prop_map(|(code, message, data)| ErrorObject { code, message, data })
}

fn message() -> impl Strategy<Value = Message> {
    let params = || proptest::option::of(object(value()));
    prop_oneof![
        (id(), text(), params()).prop_map(|(id, method, params)| Message::Request(
            Request { id, method, params }
        )),
        (text(), params()).prop_map(|(method, params)| Message::Notification(
            Notification { method, params }
        )),
        (id(), value())
            .prop_map(|(id, result)| Message::Response(Response::result(id, result))),
        (proptest::option::of(id()), error())
            .prop_map(|(id, error)| Message::Response(Response::error(id, error))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None, // what fails here becomes a test in jsonrpc/
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_message_comes_back_from_its_bytes(message in message()) {
        let body = message.encode();
        prop_assert_eq!(&message, &parse(&body).unwrap());
        prop_assert_eq!(body, parse(&message.encode()).unwrap().encode());
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

/// What is a message survives another round; what is none has one of three codes, and
/// its answer, if one is owed, is a message too.
fn check(body: &[u8]) -> Result<(), TestCaseError> {
    match parse(body) {
        Ok(message) => prop_assert_eq!(&message, &parse(&message.encode()).unwrap()),
        Err(malformed) => {
            prop_assert!([-32700, -32600, -32602].contains(&malformed.code));
            if let Some(reply) = malformed.reply().map(Message::Response) {
                prop_assert_eq!(&reply, &parse(&reply.encode()).unwrap());
            }
        }
    }
    Ok(())
}
