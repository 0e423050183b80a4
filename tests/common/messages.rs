//! Every message that there can be.

use mcp_from_scratch::jsonrpc::{
    ErrorObject, Id, Message, Notification, Request, Response,
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

pub fn message() -> impl Strategy<Value = Message> {
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
