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
//!         (without `t1_1` all tasks; with `--no-fail-fast` in place of `--test …` all
//!         exercises)
//! Then    copy your modules over those in `src/`, run `cargo run --bin
//!         01-jsonrpc-codec`, and compare with the transcript.

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

use exercises::{Explain, Failure, Verdict, judge, same, same_bytes};
use jsonrpc::{
    ErrorObject, Id, Malformed, Message, Notification, Request, Response, Shape,
    UnknownId, pair, parse,
};
use serde_json::{Map, Value, json};

fn params(value: Value) -> Option<Map<String, Value>> {
    value.as_object().cloned()
}

fn id(number: i128) -> Option<Id> {
    Some(Id::Integer(number))
}

fn string_id(text: &str) -> Option<Id> {
    Some(Id::String(text.into()))
}

/// A message is expected.
fn read(body: &str) -> Result<Message, Failure> {
    parse(body.as_bytes()).map_err(|refused| {
        let Malformed { code, reason, .. } = refused;
        Failure::new(format!("a refusal: {code}, {reason}"))
    })
}

fn is_read_as(expected: Message, body: &str) -> Verdict {
    read(body).and_then(|got| same(expected, got)).given(body)
}

/// What a refusal must say. The words of its reason are the learner's own.
fn is_refused(
    code: i64,
    id: Option<Id>,
    shape: Shape,
    body: impl AsRef<[u8]>,
) -> Verdict {
    let body = body.as_ref();
    let got = parse(body).map_err(|bad| (bad.code, bad.id, bad.shape));
    same(Err((code, id, shape)), got).given(transcript::visible(body))
}

// Task 1.1: write a message

#[test]
fn t1_1_a_request_has_jsonrpc_id_method_params_in_this_order() {
    judge("1.1", "a request is jsonrpc, id, method, params, in this order", || {
        let echo = json!({"name": "echo", "arguments": {"text": "hi"}});
        let call = Message::request(3, "tools/call", params(echo));
        same_bytes(
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#,
            call.encode(),
        )
        .likely("members go into `Wire`, which writes them in the order of its fields")
    });
}

#[test]
fn t1_1_absent_params_are_left_out() {
    judge("1.1", "params that are absent are not written, not even as null", || {
        let list = Message::request(2, "tools/list", None);
        same_bytes(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#, list.encode())
            .likely("`None` became `{}` or null; hand it to `Wire` as it is")
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
        .likely("in `Wire`, `id: None` is no member and `id: Some(None)` is null")
    });
}

#[test]
fn t1_1_a_response_has_a_result_or_an_error() {
    judge(
        "1.1",
        "an answer has a result or an error, and no null for the other",
        || {
            let result = Response::result(Id::Integer(1), json!({}));
            let fine = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
            same_bytes(fine, Message::Response(result).encode()).likely(
                "`result` and `error` of `Wire` stay `None` where there is none",
            )?;
            let error = ErrorObject {
                data: Some(json!([1])),
                ..ErrorObject::new(-32601, "no")
            };
            same_bytes(
            r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no","data":[1]}}"#,
            Message::Response(Response::error(string_id("a"), error)).encode(),
        )
        .likely("`result` and `error` of `Wire` stay `None` where there is none")
        },
    );
}

#[test]
fn t1_1_an_unknown_id_is_null_or_absent_as_the_revision_has_it() {
    judge(
        "1.1",
        "who does not know the id writes null, or from 2025-11-25 on none",
        || {
            let error = Response::error(None, ErrorObject::new(-32700, "x"));
            same_bytes(
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
                error.encode(UnknownId::Null),
            )
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
            let known = Response::error(id(0), ErrorObject::new(-32600, "x"));
            same_bytes(
                r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"x"}}"#,
                known.encode(UnknownId::Absent),
            )
            .given("an error with the id 0, UnknownId::Absent")
            .likely("an id that is known is written in every revision; 0 is one")
        },
    );
}

// Task 1.2: find the request that an answer belongs to

fn requests(ids: &[Id]) -> Vec<Request> {
    let request =
        |id: &Id| Request { id: id.clone(), method: "ping".into(), params: None };
    ids.iter().map(request).collect()
}

fn found(requests: &[Request], answer: Option<Id>) -> Option<Id> {
    let answer = Response { id: answer, outcome: Ok(json!({})) };
    pair(requests, &answer).map(|request| request.id.clone())
}

#[test]
fn t1_2_answers_in_the_order_3_1_2_find_their_requests() {
    judge("1.2", "an answer belongs to the request with the same id", || {
        let sent = requests(&[Id::Integer(1), Id::Integer(2), Id::Integer(3)]);
        for number in [3, 1, 2] {
            same(id(number), found(&sent, id(number)))
                .given(format!("requests 1, 2, 3 and the answer {number}"))
                .likely("paired by the order of arrival: look for the id instead")?;
        }
        Ok(())
    });
}

#[test]
fn t1_2_a_string_is_no_number() {
    judge("1.2", "1 and \"1\" are different ids", || {
        let sent = requests(&[Id::Integer(1), Id::String("2".into())]);
        let likely = "ids compared as text: compare the `Id`s themselves";
        same(None, found(&sent, string_id("1")))
            .given("requests 1, \"2\" and the answer \"1\"")
            .likely(likely)?;
        same(None, found(&sent, id(2)))
            .given("requests 1, \"2\" and the answer 2")
            .likely(likely)
    });
}

#[test]
fn t1_2_an_answer_to_nothing_is_nobodys() {
    judge("1.2", "an answer with another id, or with none, belongs to nobody", || {
        let sent = requests(&[Id::Integer(1)]);
        same(None, found(&sent, id(7)))
            .given("request 1 and the answer 7")
            .likely("some request was taken because there was one")?;
        same(None, found(&sent, None))
            .given("request 1 and an answer without an id")
            .likely("an answer without an id is for something unreadable, not for 1")
    });
}

// Task 1.3: tell what is no message from what is one

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

#[test]
fn t1_3_what_is_no_json_is_a_parse_error() {
    judge("1.3", "what is no JSON gets -32700", || {
        for body in [
            "",
            "{",
            "log: got a line",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            r#"{'jsonrpc':'2.0','id':1,'method':'ping'}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0"}"#,
        ] {
            is_refused(PARSE_ERROR, None, Shape::Unknown, body)
                .likely("what serde_json calls a syntax error or an early end")?;
        }
        Ok(())
    });
}

#[test]
fn t1_3_a_log_line_that_begins_like_json_is_a_parse_error() {
    judge("1.3", "the whole text decides, not its first byte", || {
        for body in ["[cache] warm", "42 tools", "true story", "2026-08-22 ready"] {
            is_refused(PARSE_ERROR, None, Shape::Unknown, body).likely(
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
        is_refused(PARSE_ERROR, None, Shape::Unknown, body)
            .likely("a lossy conversion, or no check of the bytes at all")
    });
}

#[test]
fn t1_3_a_batch_or_a_scalar_is_an_invalid_request() {
    judge("1.3", "JSON that is no object gets -32600, once", || {
        for body in [
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            r#"["2.0",1,"ping"]"#,
            "[]",
            "42",
            "null",
            r#""hello""#,
        ] {
            is_refused(INVALID_REQUEST, None, Shape::Unknown, body).likely(
                "it is JSON, so it is no parse error; and MCP has no batches",
            )?;
        }
        Ok(())
    });
}

// Task 1.4: tell requests, notifications and responses apart

#[test]
fn t1_4_a_method_without_an_id_is_a_notification() {
    judge("1.4", "a method and no id member is a notification", || {
        let done =
            Notification { method: "notifications/initialized".into(), params: None };
        is_read_as(
            Message::Notification(done),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        )
        .likely("the id member decides between a request and a notification")
    });
}

#[test]
fn t1_4_nothing_to_go_by_is_an_unknown_shape() {
    judge("1.4", "without method, result and error the shape is unknown", || {
        is_refused(INVALID_REQUEST, None, Shape::Unknown, r#"{"jsonrpc":"2.0"}"#)
            .likely("what is no request need not be a response")
    });
}

#[test]
fn t1_4_the_shape_is_told_even_when_a_member_is_broken() {
    judge("1.4", "the shape is what it was going to be, by what is there", || {
        for (code, shape, body) in [
            (INVALID_REQUEST, Shape::Notification, r#"{"jsonrpc":"1.0","method":"m"}"#),
            (INVALID_REQUEST, Shape::Notification, r#"{"jsonrpc":"2.0","method":7}"#),
            (
                INVALID_PARAMS,
                Shape::Notification,
                r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#,
            ),
            (
                INVALID_REQUEST,
                Shape::Request,
                r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
            ),
            (INVALID_REQUEST, Shape::Response, r#"{"jsonrpc":"2.0","result":{}}"#),
        ] {
            is_refused(code, None, shape, body)
                .likely("look only at which members are there, not into them")?;
        }
        Ok(())
    });
}

#[test]
fn t1_4_a_null_method_beside_a_result_is_a_response() {
    judge("1.4", "a null method beside an outcome counts as absent", || {
        let body = r#"{"jsonrpc":"2.0","method":null,"result":{}}"#;
        is_refused(INVALID_REQUEST, None, Shape::Response, body)
            .likely("some peers write all members of all messages, as null")?;
        let body = r#"{"jsonrpc":"2.0","method":null}"#;
        is_refused(INVALID_REQUEST, None, Shape::Notification, body)
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
            (Id::Integer(18_446_744_073_709_551_616), "18446744073709551616"),
            (Id::String("1".into()), r#""1""#),
            (Id::String(String::new()), r#""""#),
            (Id::String("你好".into()), r#""你好""#),
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
            let request = Request { id: expected, method: "ping".into(), params: None };
            is_read_as(Message::Request(request), &body)
                .likely("read it from its own digits: a float or 64 bits lose some")?;
        }
        Ok(())
    });
}

#[test]
fn t1_5_what_could_not_come_back_is_no_id() {
    judge("1.5", "an id is a string or an integer in plain digits", || {
        for written in ["1.5", "1.0", "1e2", "-0", "true", "[1]", "{}"] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
            is_refused(INVALID_REQUEST, None, Shape::Request, &body)
                .likely("it was rounded or converted: 1.0 would come back as 1")?;
        }
        Ok(())
    });
}

#[test]
fn t1_5_a_broken_member_does_not_lose_the_id() {
    judge("1.5", "a readable id is kept, so that only that request fails", || {
        let body = r#"{"jsonrpc":"2.0","id":7,"method":"m","params":[1]}"#;
        is_refused(INVALID_PARAMS, id(7), Shape::Request, body)
            .likely("the id is read by itself, whatever the other members are")?;
        let body = r#"{"jsonrpc":"2","id":"a","method":"m"}"#;
        is_refused(INVALID_REQUEST, string_id("a"), Shape::Request, body)
            .likely("the id is read by itself, whatever the other members are")
    });
}

// Task 1.6: read a result or an error

fn is_answer(expected: Result<Value, ErrorObject>, body: &str) -> Verdict {
    is_read_as(Message::Response(Response { id: id(1), outcome: expected }), body)
}

#[test]
fn t1_6_a_result_is_any_json() {
    judge("1.6", "a response has a result, which may be any JSON", || {
        let likely = "a null result is a result where no error stands beside it";
        is_answer(Ok(json!({})), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
        is_answer(Ok(json!([1])), r#"{"jsonrpc":"2.0","id":1,"result":[1]}"#)?;
        is_answer(Ok(Value::Null), r#"{"jsonrpc":"2.0","id":1,"result":null}"#)
            .likely(likely)
    });
}

#[test]
fn t1_6_an_error_has_a_code_a_message_and_perhaps_data() {
    judge(
        "1.6",
        "an error has an integer code, a string message, perhaps data",
        || {
            let error = ErrorObject::new(-32601, "no");
            let body =
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#;
            is_answer(Err(error.clone()), body)?;
            let data = ErrorObject { data: Some(json!({"a": 1})), ..error };
            is_answer(
            Err(data),
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":{"a":1}}}"#,
        )
        .likely("`data` is kept: it is for programs")
        },
    );
}

#[test]
fn t1_6_a_null_beside_the_other_counts_as_absent() {
    judge("1.6", "exactly one of result and error; null beside one is absent", || {
        let likely = "some peers write both members, one of them null";
        let body = r#"{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}"#;
        is_answer(Ok(json!({"a": 1})), body).likely(likely)?;
        let body = r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"x"}}"#;
        is_answer(Err(ErrorObject::new(1, "x")), body).likely(likely)
    });
}

#[test]
fn t1_6_both_and_a_broken_error_are_refused() {
    judge("1.6", "both outcomes at once, or a broken error, get -32600", || {
        for body in [
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":null}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":"boom"}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
        ] {
            is_refused(INVALID_REQUEST, id(1), Shape::Response, body)
                .likely("one of two was preferred, or an error taken as it came")?;
        }
        Ok(())
    });
}

// Task 1.7: decide whether anything is owed for a malformed message

fn owed(id: Option<Id>, shape: Shape) -> Option<(Option<Id>, Option<i64>)> {
    let bad =
        Malformed { code: INVALID_REQUEST, reason: "it is bad".into(), id, shape };
    let reply = bad.reply()?;
    Some((reply.id, reply.outcome.err().map(|error| error.code)))
}

#[test]
fn t1_7_a_request_is_owed_an_answer_with_its_id() {
    judge("1.7", "a malformed request is answered under its id, with its code", || {
        same(Some((id(1), Some(INVALID_REQUEST))), owed(id(1), Shape::Request))
            .given("a malformed request with the id 1")
            .likely("the answer carries `self.id` and `self.code`")
    });
}

#[test]
fn t1_7_something_unreadable_is_owed_an_answer_without_an_id() {
    judge("1.7", "something unreadable is answered once, without an id", || {
        same(Some((None, Some(INVALID_REQUEST))), owed(None, Shape::Unknown))
            .given("something of an unknown shape, without an id")
            .likely("it may have been a request, and its sender waits; invent no id")
    });
}

#[test]
fn t1_7_a_notification_and_a_response_are_owed_nothing() {
    judge("1.7", "nobody answers a notification or a response", || {
        same(None, owed(None, Shape::Notification))
            .given("a malformed notification")
            .likely("who sent a notification waits for nothing, errors included")?;
        same(None, owed(id(1), Shape::Response))
            .given("a malformed response with the id 1")
            .likely("two ends that answer each other's errors never stop")
    });
}
