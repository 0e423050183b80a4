//! Exercise 1: the JSON-RPC codec
//!
//! You write how a message becomes bytes and how bytes become a message again. No pipe
//! and no process yet: functions from values to values.
//!
//! Where   `exercises/src/jsonrpc.rs`, and `members.rs` and `parse.rs` in
//!         `exercises/src/jsonrpc/`. A function to write says `todo!("task 1.…")`; the
//!         lines above it say what it takes, returns and refuses. What is written
//!         already, you may use or replace; signatures that are `pub` stay as they are.
//! Tasks   1.1  write a message
//!         1.2  find the request that an answer belongs to
//!         1.3  tell what is no message from what is one
//!         1.4  tell requests, notifications and responses apart
//!         1.5  read an id
//!         1.6  read a result or an error
//!         1.7  decide whether anything is owed for a malformed message
//! Order   as numbered. The tests of 1.1 and 1.2 pass by themselves; from 1.3 on each
//!         one needs those before it.
//! Given   `Members`: the members of an object, each as the text that it was
//!         (`RawValue`), so that null and absent, 1 and 1.0 stay apart.
//! Read    the book, chapter 1; JSON-RPC 2.0, §4 to §6; MCP 2025-11-25, basic/index.
//! Judge   cargo test -p exercises --test 01_jsonrpc_codec t1_1
//!         (without `t1_1` all tasks; all exercises, while all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    copy your modules over those in `src/`, run `cargo run --bin
//!         01-jsonrpc-codec`, and compare with the transcript.
//!         (The tests of the book miss marks then; `git restore src` brings them back.)

#[cfg(feature = "reference")]
use mcp_from_scratch::jsonrpc;
#[cfg(not(feature = "reference"))]
#[path = "../src"]
mod exercise {
    pub mod jsonrpc;
}
#[cfg(not(feature = "reference"))]
use exercise::jsonrpc;
// What chapter 1 has beside the codec; your modules find it as `crate::transcript`.
#[allow(unused_imports)]
use mcp_from_scratch::transcript;

use exercises::{Explain, Verdict, judge, same, same_bytes};
use jsonrpc::{
    ErrorObject, Id, Message, MessageKind, Notification, ParseError, Request, Response,
    UnknownId, pair, parse,
};
use serde_json::{Map, Value, json};
use std::fmt;

fn params(value: Value) -> Option<Map<String, Value>> {
    value.as_object().cloned()
}

fn id(number: i128) -> Option<Id> {
    Some(Id::Integer(number))
}

fn string_id(text: &str) -> Option<Id> {
    Some(Id::String(text.into()))
}

/// Compared and shown as words, without quotes.
#[derive(PartialEq)]
struct Words(String);

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn of_id(id: Option<&Id>) -> String {
    id.map_or("no id".into(), |id| format!("the id {id}"))
}

fn of_params(params: Option<&Map<String, Value>>) -> String {
    params.map_or("no params".into(), |params| {
        format!("params {}", Value::from(params.clone()))
    })
}

fn of_message(message: &Message) -> String {
    match message {
        Message::Request(Request { id, method, params }) => {
            let params = of_params(params.as_ref());
            format!("a request: {}, method {method:?}, {params}", of_id(Some(id)))
        }
        Message::Notification(Notification { method, params }) => {
            format!("a notification: method {method:?}, {}", of_params(params.as_ref()))
        }
        Message::Response(Response { id, outcome: Ok(result) }) => {
            format!("a response: {}, result {result}", of_id(id.as_ref()))
        }
        Message::Response(Response { id, outcome: Err(error) }) => {
            let ErrorObject { code, message, data } = error;
            let id = of_id(id.as_ref());
            let data = data.as_ref().map_or("no data".into(), |d| format!("data {d}"));
            format!("a response: {id}, error {code}, message {message:?}, {data}")
        }
    }
}

fn words(read: &Result<Message, ParseError>) -> Words {
    Words(match read {
        Ok(message) => of_message(message),
        Err(ParseError { code, id, shape, .. }) => {
            format!("refused: code {code}, {}, shape {shape:?}", of_id(id.as_ref()))
        }
    })
}

fn read(body: impl AsRef<[u8]>) -> Result<Message, ParseError> {
    parse(body.as_ref())
}

fn shown(body: &[u8]) -> String {
    if body.is_empty() {
        "an empty body".into()
    } else {
        transcript::escape_untrusted(body)
    }
}

fn is_read_as(expected: Message, body: &str) -> Verdict {
    let got = match read(body) {
        Ok(message) => of_message(&message),
        Err(ParseError { code, reason, .. }) => {
            format!("refused: code {code}, {reason}")
        }
    };
    same(Words(of_message(&expected)), Words(got)).given(shown(body.as_bytes()))
}

fn is_request(expected: Id, body: &str) -> Verdict {
    let method = "ping".into();
    is_read_as(Message::Request(Request { id: expected, method, params: None }), body)
}

/// What a refusal must say beside its reason, whose words are the learner's own.
fn is_refused(
    code: i64,
    id: Option<Id>,
    shape: MessageKind,
    body: impl AsRef<[u8]>,
) -> Verdict {
    let body = body.as_ref();
    let expected = ParseError { code, reason: String::new(), id, shape };
    same(words(&Err(expected)), words(&read(body))).given(shown(body))
}

/// Why a refusal is wrong: whoever lost the id has not gone wrong elsewhere.
fn unless_id_lost<'a>(id: Option<Id>, body: &str, otherwise: &'a str) -> &'a str {
    match read(body) {
        Err(bad) if id.is_some() && bad.id.is_none() => {
            "the id is read by itself, whatever the other members are"
        }
        _ => otherwise,
    }
}

// Task 1.1: write a message

#[test]
fn t1_1_a_request_has_jsonrpc_id_method_params_in_this_order() {
    judge("1.1", "a request is jsonrpc, id, method, params, in this order", || {
        let echo = json!({"name": "echo", "arguments": {"text": "hi"}});
        let call = Message::request(3, "tools/call", params(echo));
        same_bytes(
            concat!(
                r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","#,
                r#""params":{"name":"echo","arguments":{"text":"hi"}}}"#
            ),
            call.encode(),
        )
        .given("the request 3, tools/call, with params")
        .likely("members go into `Wire`, which writes them in the order of its fields")
    });
}

#[test]
fn t1_1_absent_params_are_left_out() {
    judge("1.1", "params that are absent are left out; empty ones are written", || {
        let list = Message::request(2, "tools/list", None);
        same_bytes(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#, list.encode())
            .given("a request without params")
            .likely("`None` became `{}` or null; hand it to `Wire` as it is")?;
        let list = Message::request(2, "tools/list", params(json!({})));
        same_bytes(
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#,
            list.encode(),
        )
        .given("a request with params that are an empty object")
        .likely("an empty object is one; only `None` is left out")
    });
}

#[test]
fn t1_1_an_id_is_written_as_what_it_is() {
    judge("1.1", "an id is written whole, a string as a string", || {
        for (id, written) in [
            (Id::Integer(0), "0"),
            (Id::Integer(i128::MAX), "170141183460469231731687303715884105727"),
            (Id::String("1".into()), r#""1""#),
            (Id::String("a\"b".into()), r#""a\"b""#),
        ] {
            let given = format!("a request with the id {id}");
            let ping = Request { id, method: "ping".into(), params: None };
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
            same_bytes(body, Message::Request(ping).encode())
                .given(given)
                .likely("hand the `Id` itself to `Wire`: it knows how it is written")?;
        }
        Ok(())
    });
}

#[test]
fn t1_1_a_notification_has_no_id() {
    judge("1.1", "a notification has no id, not even null", || {
        let done = Message::notification("notifications/initialized", None);
        same_bytes(
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            done.encode(),
        )
        .given("a notification without params")
        .likely("in `Wire`, `id: None` is no member and `id: Some(None)` is null")?;
        let late = json!({"requestId": 3});
        let cancelled = Message::notification("notifications/cancelled", params(late));
        same_bytes(
            concat!(
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","#,
                r#""params":{"requestId":3}}"#
            ),
            cancelled.encode(),
        )
        .given("a notification with params")
        .likely("a notification has params like a request; only the id is missing")
    });
}

#[test]
fn t1_1_a_message_holds_no_raw_newline() {
    judge("1.1", "a message is one line: a newline in a text is written \\n", || {
        let text = json!({"text": "a\n\"b\"\u{1}"});
        same_bytes(
            concat!(
                r#"{"jsonrpc":"2.0","id":1,"method":"m","#,
                r#""params":{"text":"a\n\"b\"\u0001"}}"#
            ),
            Message::request(1, "m", params(text)).encode(),
        )
        .given("a text with a newline, quotes and a control character")
        .likely("JSON was put together as text: let serde_json write strings")
    });
}

#[test]
fn t1_1_a_response_has_a_result_or_an_error() {
    let rule = "an answer has a result or an error, and no null for the other";
    judge("1.1", rule, || {
        let likely = "`result` and `error` of `Wire` stay `None` where there is none";
        for (result, likely) in [
            (json!({}), likely),
            (json!(null), "a result that is null is a result, and is written"),
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
            let given = format!("the answer to 1 with the result {result}");
            let response = Response::result(Id::Integer(1), result);
            same_bytes(body, Message::Response(response).encode())
                .given(given)
                .likely(likely)?;
        }
        let data = Some(json!([1]));
        let error = ErrorObject { data, ..ErrorObject::new(-32601, "no") };
        same_bytes(
            concat!(
                r#"{"jsonrpc":"2.0","id":"a","#,
                r#""error":{"code":-32601,"message":"no","data":[1]}}"#
            ),
            Message::Response(Response::error(string_id("a"), error)).encode(),
        )
        .given("the answer to \"a\" with an error that has data")
        .likely(likely)
    });
}

#[test]
fn t1_1_an_unknown_id_is_null_or_absent_as_the_revision_has_it() {
    let rule = "who does not know the id writes null, or from 2025-11-25 on none";
    judge("1.1", rule, || {
        let error = Response::error(None, ErrorObject::new(-32700, "x"));
        let null =
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#;
        same_bytes(null, error.encode(UnknownId::Null))
            .given("an error without an id, UnknownId::Null")
            .likely(
                "in `Wire`, `id: None` is no member and `id: Some(None)` is null",
            )?;
        same_bytes(
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}"#,
            error.encode(UnknownId::Absent),
        )
        .given("an error without an id, UnknownId::Absent")
        .likely("`UnknownId` decides, and only where the id is `None`")?;
        same_bytes(null, Message::Response(error).encode())
            .given("the same in a `Message`")
            .likely(
                "a message has no revision to go by: it writes `UnknownId::Null`",
            )?;
        let known = Response::error(id(0), ErrorObject::new(-32600, "x"));
        same_bytes(
            r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"x"}}"#,
            known.encode(UnknownId::Absent),
        )
        .given("an error with the id 0, UnknownId::Absent")
        .likely("an id that is known is written in every revision; 0 is one")
    });
}

// Task 1.2: find the request that an answer belongs to

/// The one request that `answer` is paired with, in words.
fn is_paired(expected: Option<Id>, ids: &[Id], answer: Option<Id>) -> Verdict {
    let request =
        |id: &Id| Request { id: id.clone(), method: "ping".into(), params: None };
    let requests: Vec<_> = ids.iter().map(request).collect();
    let listed: Vec<_> = ids.iter().map(Id::to_string).collect();
    let sent = format!("sent {}", listed.join(", "));
    let of_answer = of_id(answer.as_ref());
    let answers = [
        Response { id: answer.clone(), outcome: Ok(json!({})) },
        Response { id: answer, outcome: Err(ErrorObject::new(-32603, "no")) },
    ];
    let words = |id: Option<&Id>| {
        Words(id.map_or("no request".into(), |id| format!("request {id}")))
    };
    for answer in answers {
        let got = pair(&requests, &answer).map(|request| &request.id);
        let kind = if answer.outcome.is_ok() { "a result" } else { "an error" };
        same(words(expected.as_ref()), words(got))
            .given(format!("{sent}; came {kind} with {of_answer}"))?;
    }
    Ok(())
}

#[test]
fn t1_2_answers_in_the_order_3_1_2_find_their_requests() {
    judge("1.2", "an answer belongs to the request with the same id", || {
        for number in [3, 1, 2] {
            let sent = [1, 2, 3].map(Id::Integer);
            is_paired(id(number), &sent, id(number))
                .likely("paired by the order of arrival: look for the id instead")?;
        }
        let sent = [Id::Integer(7), Id::String("b".into()), Id::Integer(0)];
        for wanted in &sent {
            is_paired(Some(wanted.clone()), &sent, Some(wanted.clone()))
                .likely("an id is no position; it may be 0, or a string")?;
        }
        Ok(())
    });
}

#[test]
fn t1_2_a_string_is_no_number() {
    judge("1.2", "1 and \"1\" are different ids", || {
        let likely = "ids compared as text: compare the `Id`s themselves";
        let sent = [Id::Integer(1), Id::String("2".into())];
        is_paired(None, &sent, string_id("1")).likely(likely)?;
        is_paired(None, &sent, id(2)).likely(likely)
    });
}

#[test]
fn t1_2_an_answer_to_nothing_is_nobodys() {
    judge("1.2", "an answer with another id, or with none, belongs to nobody", || {
        let sent = [Id::Integer(1)];
        is_paired(None, &sent, id(7))
            .likely("some request was taken because there was one")?;
        is_paired(None, &sent, id((1 << 64) + 1))
            .likely("an `i128` was cut to 64 bits, and 2^64 + 1 became 1")?;
        is_paired(None, &sent, None)
            .likely("an answer without an id is for something unreadable, not for 1")
    });
}

// Task 1.3: tell what is no message from what is one

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

#[test]
fn t1_3_what_is_no_json_is_a_parse_error() {
    judge("1.3", "what is no JSON gets -32700, without an id", || {
        for body in [
            "",
            "{",
            "log: got a line",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            r#"{'jsonrpc':'2.0','id':1,'method':'ping'}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}"#,
            r#"{"jsonrpc":"2.0","id":01,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0"}"#,
        ] {
            is_refused(PARSE_ERROR, None, MessageKind::Unknown, body).likely(
                "is the whole text JSON? What is no JSON has no id and no shape either",
            )?;
        }
        Ok(())
    });
}

#[test]
fn t1_3_a_log_line_that_begins_like_json_is_a_parse_error() {
    judge("1.3", "the whole text decides, not its first byte", || {
        for body in ["[cache] warm", "42 tools", "true story", "2026-08-22 ready"] {
            is_refused(PARSE_ERROR, None, MessageKind::Unknown, body).likely(
                "reading stopped at `[` or `4`, which begins no object; is the whole \
                 text JSON?",
            )?;
        }
        Ok(())
    });
}

#[test]
fn t1_3_bytes_that_are_no_text_are_a_parse_error() {
    judge("1.3", "JSON is UTF-8; anything else gets -32700", || {
        let body = b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"p\xffng\"}";
        is_refused(PARSE_ERROR, None, MessageKind::Unknown, body)
            .likely("a lossy conversion, or no check of the bytes at all")
    });
}

#[test]
fn t1_3_a_batch_or_a_scalar_is_an_invalid_request() {
    judge("1.3", "JSON that is no object gets -32600, once, without an id", || {
        for body in [
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            r#"["2.0",1,"ping"]"#,
            " [ ]\r",
            "42",
            "true",
            "null",
            r#""hello""#,
        ] {
            is_refused(INVALID_REQUEST, None, MessageKind::Unknown, body).likely(
                "it is JSON, so it is no parse error; it is no object, so it is no \
                 message (MCP has no batches)",
            )?;
        }
        Ok(())
    });
}

// Task 1.4: tell requests, notifications and responses apart

fn is_notification(method: &str, params: Value, body: &str) -> Verdict {
    let params = self::params(params);
    let expected = Notification { method: method.into(), params };
    is_read_as(Message::Notification(expected), body)
}

#[test]
fn t1_4_a_method_without_an_id_is_a_notification() {
    judge("1.4", "a method and no id member is a notification", || {
        for body in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":null}"#,
            " {\"method\" :\t\"notifications/initialized\", \"jsonrpc\": \"2.0\"} \r",
        ] {
            is_notification("notifications/initialized", Value::Null, body)
                .likely("the id member decides between a request and a notification")?;
        }
        let body = r#"{"jsonrpc":"2.0","method":"m","params":{"id":1,"result":2}}"#;
        is_notification("m", json!({"id": 1, "result": 2}), body)
            .likely("members of params were taken for members of the message")?;
        let body = r#"{"jsonrpc":"2.0","x":[1],"method":"m","Id":1,"ID":2}"#;
        is_notification("m", Value::Null, body)
            .likely("members that JSON-RPC does not know are passed over; `Id` is one")
    });
}

#[test]
fn t1_4_nothing_to_go_by_is_an_unknown_shape() {
    judge("1.4", "without method, result and error the shape is unknown", || {
        for body in [
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":null}"#,
            "{}",
        ] {
            is_refused(INVALID_REQUEST, None, MessageKind::Unknown, body)
                .likely("what is no request need not be a response")?;
        }
        Ok(())
    });
}

#[test]
fn t1_4_the_shape_is_told_even_when_a_member_is_broken() {
    judge("1.4", "the shape is what it was going to be, by what is there", || {
        use MessageKind::{Notification, Request, Response};
        for (code, shape, body) in [
            (INVALID_REQUEST, Notification, r#"{"jsonrpc":"1.0","method":"m"}"#),
            (INVALID_REQUEST, Notification, r#"{"jsonrpc":2.0,"method":"m"}"#),
            (INVALID_REQUEST, Notification, r#"{"method":"m"}"#),
            (INVALID_REQUEST, Notification, r#"{"jsonrpc":"2.0","method":7}"#),
            (
                INVALID_PARAMS,
                Notification,
                r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#,
            ),
            (INVALID_REQUEST, Response, r#"{"jsonrpc":"1.0","result":{}}"#),
            (INVALID_REQUEST, Response, r#"{"jsonrpc":"1.0","id":null,"error":null}"#),
        ] {
            is_refused(code, None, shape, body)
                .likely("look only at which members are there, not into them")?;
        }
        let body = r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#;
        is_refused(INVALID_REQUEST, None, Request, body)
            .likely("an id that is null is there, so it is no notification")
    });
}

#[test]
fn t1_4_a_null_method_beside_a_result_is_a_response() {
    judge("1.4", "a null method beside an outcome counts as absent", || {
        let likely = "some peers write all members of all messages, as null";
        let body = r#"{"jsonrpc":"1.0","method":null,"result":{}}"#;
        is_refused(INVALID_REQUEST, None, MessageKind::Response, body)
            .likely(likely)?;
        let body = r#"{"jsonrpc":"1.0","method":null,"result":null,"error":{}}"#;
        is_refused(INVALID_REQUEST, None, MessageKind::Response, body)
            .likely(likely)?;
        let body = r#"{"jsonrpc":"2.0","method":null}"#;
        is_refused(INVALID_REQUEST, None, MessageKind::Notification, body)
            .likely("without an outcome beside it a null method is a broken method")
    });
}

// Task 1.5: read an id

#[test]
fn t1_5_a_request_keeps_its_id_exactly() {
    judge("1.5", "an id comes back exactly as it was sent", || {
        for (expected, written) in [
            (Id::Integer(0), "0"),
            (Id::Integer(-1), "-1"),
            (Id::Integer(9_007_199_254_740_993), "9007199254740993"),
            (Id::Integer(18_446_744_073_709_551_616), "18446744073709551616"),
            (Id::Integer(i128::MIN), "-170141183460469231731687303715884105728"),
            (Id::String("1".into()), r#""1""#),
            (Id::String(String::new()), r#""""#),
            (Id::String("你好".into()), r#""你好""#),
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
            is_request(expected, &body)
                .likely("read it from its own digits: a float or 64 bits lose some")?;
        }
        Ok(())
    });
}

#[test]
fn t1_5_an_escape_is_the_character_that_it_names() {
    judge("1.5", "\"\\u0061\" and \"a\" are the same string, in names too", || {
        let body = r#"{"jsonrpc":"2.0","id":"\u0061\"\ud83d\ude00","method":"ping"}"#;
        is_request(Id::String("a\"😀".into()), body)
            .likely("the quotes were cut off by hand: let serde_json read a string")?;
        let body = r#"{"jsonrpc":"2.0","\u0069d":1,"method":"p\u0069ng"}"#;
        is_request(Id::Integer(1), body)
            .likely("a name is compared after its escapes are read; `\\u0069d` is `id`")
    });
}

#[test]
fn t1_5_what_could_not_come_back_is_no_id() {
    judge("1.5", "an id is a string or an integer in plain digits", || {
        for written in [
            "1.5",
            "1.0",
            "1e2",
            "1E0",
            "-0",
            "170141183460469231731687303715884105728",
            "true",
            "[1]",
            "{}",
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
            is_refused(INVALID_REQUEST, None, MessageKind::Request, &body)
                .likely("rounded, cut or converted: 1.0 would come back as 1")?;
        }
        Ok(())
    });
}

#[test]
fn t1_5_a_broken_member_does_not_lose_the_id() {
    judge("1.5", "a readable id is kept, so that only that request fails", || {
        use MessageKind::{Request, Unknown};
        for (code, id, shape, body) in [
            (
                INVALID_PARAMS,
                id(7),
                Request,
                r#"{"jsonrpc":"2.0","id":7,"method":"m","params":[1]}"#,
            ),
            (
                INVALID_REQUEST,
                string_id("a"),
                Request,
                r#"{"jsonrpc":"2","id":"a","method":"m"}"#,
            ),
            (
                INVALID_REQUEST,
                id(0),
                Request,
                r#"{"jsonrpc":"2.0","id":0,"method":{}}"#,
            ),
            (INVALID_REQUEST, id(1), Unknown, r#"{"jsonrpc":"2.0","id":1}"#),
        ] {
            let likely = "the shape is told by which members are there (task 1.4)";
            is_refused(code, id.clone(), shape, body)
                .likely(unless_id_lost(id, body, likely))?;
        }
        Ok(())
    });
}

#[test]
fn t1_5_a_repeated_member_is_refused() {
    judge("1.5", "a member that stands twice is refused: which one counts?", || {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#;
        let likely =
            "the first or the last was taken; `Members` knows what stands twice";
        is_refused(INVALID_REQUEST, id(1), MessageKind::Request, body)
            .likely(unless_id_lost(id(1), body, likely))?;
        let body = r#"{"jsonrpc":"2.0","id":2,"\u0069d":3,"method":"ping"}"#;
        is_refused(INVALID_REQUEST, None, MessageKind::Request, body)
            .likely("of two ids none can be trusted, so the answer carries none")?;
        let body = concat!(
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","#,
            r#""params":{"name":"echo","name":"delete_file"}}"#
        );
        is_refused(INVALID_PARAMS, id(4), MessageKind::Request, body)
            .likely("`Value` keeps the last of two; `read_unrepeated` refuses them")
    });
}

// Task 1.6: read a result or an error

fn is_answer(expected: Result<Value, ErrorObject>, body: &str) -> Verdict {
    is_read_as(Message::Response(Response { id: id(1), outcome: expected }), body)
}

#[test]
fn t1_6_a_result_is_any_json() {
    judge("1.6", "a response has a result, which may be any JSON", || {
        for result in [json!({}), json!([1]), json!(0), json!(false), json!(null)] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
            is_answer(Ok(result), &body)
                .likely("a null result is a result where no error stands beside it")?;
        }
        Ok(())
    });
}

#[test]
fn t1_6_an_error_has_a_code_a_message_and_perhaps_data() {
    let rule = "an error has an integer code, a string message, perhaps data";
    judge("1.6", rule, || {
        let error = ErrorObject::new(-32601, "no");
        let body = r#"{"jsonrpc":"2.0","id":1,"error":{"message":"no","code":-32601}}"#;
        is_answer(Err(error.clone()), body)
            .likely("members are found by their names, in any order")?;
        let data = ErrorObject { data: Some(json!({"a": 1})), ..error };
        let body = concat!(
            r#"{"jsonrpc":"2.0","id":1,"error":"#,
            r#"{"code":-32601,"message":"no","data":{"a":1},"more":2}}"#
        );
        is_answer(Err(data), body).likely("`data` is kept: it is for programs")
    });
}

#[test]
fn t1_6_an_error_may_come_without_an_id() {
    judge("1.6", "an error to something unreadable has no id, or null", || {
        for body in [
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}"#,
        ] {
            let error = Response::error(None, ErrorObject::new(-32700, "x"));
            is_read_as(Message::Response(error), body)
                .likely("the peer could not read whose answer it is, and says so")?;
        }
        for body in [
            r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
        ] {
            is_refused(INVALID_REQUEST, None, MessageKind::Response, body)
                .likely("a result belongs to a request, so it has an id")?;
        }
        Ok(())
    });
}

#[test]
fn t1_6_a_null_beside_the_other_counts_as_absent() {
    judge("1.6", "exactly one of result and error; null beside one is absent", || {
        let likely = "some peers write both members, one of them null";
        let body = r#"{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}"#;
        is_answer(Ok(json!({"a": 1})), body).likely(likely)?;
        let error = ErrorObject::new(1, "x");
        let body = concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":null,"params":null,"#,
            r#""result":null,"error":{"code":1,"message":"x"}}"#
        );
        is_answer(Err(error), body).likely(likely)
    });
}

#[test]
fn t1_6_both_and_a_broken_error_are_refused() {
    judge("1.6", "both outcomes at once, or a broken error, get -32600", || {
        let both = r#""result":{},"error":{"code":1,"message":"x"}"#;
        for outcome in [
            both,
            r#""error":null"#,
            r#""error":"boom""#,
            r#""error":[1,"x"]"#,
            r#""error":{"code":"1","message":"x"}"#,
            r#""error":{"code":1.5,"message":"x"}"#,
            r#""error":{"code":9223372036854775808,"message":"x"}"#,
            r#""error":{"code":1}"#,
            r#""error":{"code":1,"message":null}"#,
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,{outcome}}}"#);
            let likely = if outcome == both {
                "one of the two was preferred; the other may be the true one"
            } else {
                "an error is an object with an integer code and a string message"
            };
            is_refused(INVALID_REQUEST, id(1), MessageKind::Response, &body)
                .likely(unless_id_lost(id(1), &body, likely))?;
        }
        Ok(())
    });
}

#[test]
fn t1_6_a_method_and_an_outcome_are_refused() {
    judge("1.6", "what has a method and an outcome is neither kind: -32600", || {
        for body in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"m","error":{"code":1,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"m","result":{}}"#,
        ] {
            let refused = |code| Words(format!("refused: code {code}"));
            let got = match read(body) {
                Err(bad) => refused(bad.code),
                message => words(&message),
            };
            same(refused(INVALID_REQUEST), got)
                .given(body)
                .likely("one of the two was looked at and the other passed over")?;
        }
        Ok(())
    });
}

/// Half a surrogate pair: a text that was cut inside an emoji.
#[test]
fn t1_6_a_text_that_no_string_can_hold_does_not_lose_the_id() {
    judge("1.6", "what cannot be read fails one answer, not the connection", || {
        let result = r#"{"content":[{"type":"text","text":"cut \ud83d"}]}"#;
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
        let of = |id: Option<Id>| Words(of_id(id.as_ref()));
        let got = match read(&body) {
            Ok(Message::Response(response)) => of(response.id),
            Err(bad) => of(bad.id),
            other => words(&other),
        };
        same(of(id(1)), got)
            .given(body)
            .likely("the whole message went through `Value`: read members one by one")
    });
}

// Task 1.7: decide whether anything is owed for a malformed message

fn of_reply(reply: Option<&Response>) -> Words {
    Words(match reply {
        None => "no answer".into(),
        Some(Response { id, outcome }) => {
            let outcome = outcome.as_ref().map_or_else(
                |error| format!("the code {}", error.code),
                |result| format!("the result {result}"),
            );
            format!("an answer with {}, {outcome}", of_id(id.as_ref()))
        }
    })
}

/// Whatever the code. `likely`: why an answer, or none, or its id is wrong.
fn is_owed(
    expected: Option<Option<Id>>,
    id: Option<Id>,
    shape: MessageKind,
    likely: &str,
) -> Verdict {
    for code in [PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS] {
        let error = ErrorObject::new(code, "it is bad");
        let owed = expected.clone().map(|id| Response::error(id, error));
        let bad =
            ParseError { code, reason: "it is bad".into(), id: id.clone(), shape };
        let got = bad.reply();
        let like = |one: &Response, other: &Response| one.id == other.id;
        let likely = match (&owed, &got) {
            (Some(owed), Some(got)) if like(owed, got) => {
                "the answer is an error, and its code is `self.code`"
            }
            _ => likely,
        };
        let of_id = of_id(id.as_ref());
        same(of_reply(owed.as_ref()), of_reply(got.as_ref()))
            .given(format!("a refusal: code {code}, {of_id}, shape {shape:?}"))
            .likely(likely)?;
    }
    Ok(())
}

#[test]
fn t1_7_a_request_is_owed_an_answer_with_its_id() {
    judge("1.7", "a malformed request is answered under its id, with its code", || {
        let likely = "the answer carries `self.id`, whatever it is";
        is_owed(Some(id(1)), id(1), MessageKind::Request, likely)?;
        is_owed(Some(string_id("1")), string_id("1"), MessageKind::Request, likely)?;
        let likely = "its id was null or broken, but somebody waits; invent no id";
        is_owed(Some(None), None, MessageKind::Request, likely)
    });
}

#[test]
fn t1_7_something_unreadable_is_owed_an_answer_without_an_id() {
    judge("1.7", "something unreadable is answered once, without an id", || {
        let likely = "it may have been a request, and its sender waits; invent no id";
        is_owed(Some(None), None, MessageKind::Unknown, likely)?;
        let likely = "an id could be read, so the answer carries it";
        is_owed(Some(id(1)), id(1), MessageKind::Unknown, likely)
    });
}

#[test]
fn t1_7_a_notification_and_a_response_are_owed_nothing() {
    judge("1.7", "nobody answers a notification or a response", || {
        let likely = "who sent a notification waits for nothing, errors included";
        is_owed(None, None, MessageKind::Notification, likely)?;
        let likely = "two ends that answer each other's errors never stop";
        is_owed(None, id(1), MessageKind::Response, likely)?;
        is_owed(None, None, MessageKind::Response, likely)
    });
}
