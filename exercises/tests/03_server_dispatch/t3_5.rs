use super::*;

const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#;

#[test]
fn no_call_before_the_handshake_is_done() {
    judge("3.5", "tools/call before notifications/initialized gets -32600", || {
        for mut session in [Recorder::new(), Recorder::initialized()?] {
            session
                .expects("response 3: error -32600", CALL)
                .likely("tools/call checks the same gate as tools/list")?;
            for params in [
                r#"{"name":"no_such_tool"}"#,
                r#"{"name":5}"#,
                r#"{"name":"echo","arguments":[]}"#,
                "{}",
            ] {
                session
                    .expects("response 3: error -32600", &call_with(params))
                    .likely("check the gate before you check the params")?;
            }
        }
        Ok(())
    });
}

#[test]
fn a_call_runs_its_tool_with_its_arguments() {
    judge("3.5", "a call runs the named tool with its arguments and id", || {
        Recorder::ready()?
            .expects(&running("3"), CALL)
            .likely("pass on the name and the arguments of the params")?;
        let params = r#"{"arguments":{"text":"","b":null,"a":[1.5,null]},"name":"echo","_meta":{}}"#;
        Recorder::ready()?
            .expects(
                r#"run echo {"text":"","b":null,"a":[1.5,null]} as "x""#,
                &with_params(r#""x""#, "tools/call", params),
            )
            .likely("pass the arguments on unchanged, and nothing else")
    });
}

#[test]
fn arguments_that_are_absent_or_null_are_empty() {
    judge("3.5", "absent or null arguments are {}", || {
        for params in [
            r#"{"name":"echo"}"#,
            r#"{"name":"echo","arguments":null}"#,
            r#"{"name":"echo","arguments":{}}"#,
        ] {
            Recorder::ready()?.expects("run echo {} as 3", &call_with(params)).likely(
                "clients omit them, or send null, for a tool without arguments",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_call_of_the_wrong_shape_is_a_protocol_error() {
    judge("3.5", "the name must be a string, the arguments an object: -32602", || {
        let likely = "the request itself is invalid: reject it before any tool runs";
        Recorder::ready()?
            .expects("response 3: error -32602", &request("3", "tools/call"))
            .likely(likely)?;
        for params in [
            r#"{"arguments":{"text":"hi"}}"#,
            r#"{"name":5}"#,
            r#"{"name":null}"#,
            r#"{"name":"echo","arguments":[]}"#,
            r#"{"name":"echo","arguments":"{}"}"#,
            r#"{"name":"echo","arguments":0}"#,
            r#"{"name":"echo","arguments":false}"#,
        ] {
            Recorder::ready()?
                .expects("response 3: error -32602", &call_with(params))
                .likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn an_unknown_tool_is_a_protocol_error() {
    judge("3.5", "a tool that does not exist gets -32602", || {
        for name in ["no_such_tool", "Echo", "ech", "echo ", ""] {
            let params = format!(r#"{{"name":"{name}","arguments":{{}}}}"#);
            Recorder::ready()?
                .expects("response 3: error -32602", &call_with(&params))
                .likely(
                    "`isError` reports a failed tool, and here no tool ran; -32601 is \
                     for unknown methods",
                )?;
        }
        Ok(())
    });
}

#[test]
fn unsuitable_arguments_are_passed_to_the_tool() {
    judge("3.5", "the tool checks its arguments, the session does not", || {
        for arguments in ["{}", r#"{"text":5}"#, r#"{"txet":"hi"}"#] {
            let params = format!(r#"{{"name":"echo","arguments":{arguments}}}"#);
            Recorder::ready()?
                .expects(&format!("run echo {arguments} as 3"), &call_with(&params))
                .likely(
                    "a protocol error does not reach the model; the tool's own message \
                     does, so the model can correct its call",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_result_is_returned_once_with_the_id_of_its_call() {
    judge("3.5", "each result is sent once, with the id of its call", || {
        let mut session = Recorder::calling("3")?;
        session
            .expects(&running(r#""3""#), &call(r#""3""#))
            .likely("\"3\" and 3 are different ids")?;
        session.expects(&running("4"), &call("4"))?;
        let order = "calls end in any order: use the id that `finish` receives";
        session
            .finishes(&text_result("4", "four"), integer(4), ToolResult::text("four"))
            .likely(order)?;
        session
            .finishes(
                &text_result(r#""3""#, "b"),
                Id::String("3".into()),
                ToolResult::text("b"),
            )
            .likely(order)?;
        session
            .finishes(&text_result("3", "a"), integer(3), ToolResult::text("a"))
            .likely(order)?;
        session
            .finishes("nothing", integer(3), ToolResult::text("a"))
            .likely("the call has already ended and got its response")?;
        session
            .finishes("nothing", integer(404), ToolResult::text("a"))
            .likely("no running call has this id")
    });
}

#[test]
fn a_failed_tool_is_data() {
    judge("3.5", "a tool that fails is a result with isError, not an error", || {
        let failed =
            r#"{"content":[{"type":"text","text":"no such file"}],"isError":true}"#;
        Recorder::calling("3")?
            .finishes(
                &format!("response 3: {failed}"),
                integer(3),
                ToolResult::failure("no such file"),
            )
            .likely(
                "the model must read the reason; a JSON-RPC error does not reach it",
            )?;
        let structured = Some(json!({"n": 1}));
        let result = ToolResult { structured, ..ToolResult::text("1") };
        Recorder::calling("3")?
            .finishes(
                r#"response 3: {"content":[{"type":"text","text":"1"}],"structuredContent":{"n":1}}"#,
                integer(3),
                result,
            )
            .likely("pass the result on unchanged, with all members")
    });
}

#[test]
fn a_result_is_returned_whole() {
    judge("3.5", "the result of a tool is returned unchanged", || {
        let image = json!({"type": "image", "mimeType": "image/png", "data": "AAAA"});
        let text = json!({"type": "text", "text": "b"});
        let odd = json!({"type": "x-new", "n": 1});
        let result = ToolResult {
            content: vec![image, text, odd],
            structured: Some(json!({"code": 5})),
            is_error: true,
        };
        let whole = r#"response 3: {"content":[{"type":"image","mimeType":"image/png","data":"AAAA"},{"type":"text","text":"b"},{"type":"x-new","n":1}],"structuredContent":{"code":5},"isError":true}"#;
        Recorder::calling("3")?.finishes(whole, integer(3), result).likely(
            "return all blocks and the structured content, of a failure, too",
        )?;
        Recorder::calling("3")?
            .finishes(
                r#"response 3: {"content":[]}"#,
                integer(3),
                ToolResult::default(),
            )
            .likely("an empty result has no blocks")
    });
}

#[test]
fn a_stray_response_ends_no_call() {
    judge("3.5", "a response gets no response and does not affect a call", || {
        let likely = "the server sent no request; the client's ids are separate";
        for line in [
            r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#,
        ] {
            let mut session = Recorder::calling("3")?;
            session.expects("nothing", line).likely(likely)?;
            session.expects("response 3: error -32600", &call("3")).likely(likely)?;
            session
                .finishes(&text_result("3", "hi"), integer(3), ToolResult::text("hi"))
                .likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn a_rejected_call_does_not_use_its_id() {
    judge("3.5", "only a running call occupies its id", || {
        let mut session = Recorder::ready()?;
        let unknown = call_with(r#"{"name":"no_such_tool"}"#);
        session
            .expects("response 3: error -32602", &unknown)
            .likely("an unknown tool is rejected: see the test about that")?;
        session
            .expects(&running("3"), CALL)
            .likely("the id was stored before the call was checked")?;
        session.finishes(
            &text_result("3", "hi"),
            integer(3),
            ToolResult::text("hi"),
        )?;
        session
            .expects(&running("3"), CALL)
            .likely("after the call its id is free; real clients reuse ids")
    });
}

#[test]
fn an_id_in_use_is_rejected_and_its_call_continues() {
    judge("3.5", "while a call runs, another request with its id is rejected", || {
        let likely = "`request` (task 3.1) must check for a running call with this id \
                      first: two responses with one id are ambiguous";
        for second in [
            call("7"),
            request("7", "ping"),
            request("7", "tools/list"),
            request("7", "no/such"),
            request("7", "initialize"),
            with_params("7", "tools/call", r#"{"name":"no_such_tool"}"#),
        ] {
            let mut session = Recorder::calling("7")?;
            session.expects("response 7: error -32600", &second).likely(likely)?;
            session
                .expects(r#"response "7": {}"#, &request(r#""7""#, "ping"))
                .likely("\"7\" and 7 are different ids")?;
            session
                .finishes(&text_result("7", "hi"), integer(7), ToolResult::text("hi"))
                .likely("the rejected request replaced the running call")?;
        }
        Ok(())
    });
}

#[test]
fn on_real_pipes_every_request_gets_its_response() {
    on_real_pipes(
        "3.5",
        "in a whole conversation each request gets one response",
        &[
            INITIALIZE,
            INITIALIZED,
            LIST,
            &with_params("5", "tools/call", r#"{"name":"wait","arguments":{}}"#),
            CALL,
            &with_params(r#""3""#, "tools/call", r#"{"name":"echo"}"#),
            PING,
            &with_params("6", "tools/call", r#"{"name":"none"}"#),
            &with_params("7", "tools/call", r#"{"name":"ring","arguments":{}}"#),
        ],
        &[
            AGREED,
            "response 2: tools echo, wait, ring",
            &text_result("5", "waited"),
            &text_result("3", "hi"),
            r#"response "3": {"content":[{"type":"text","text":"argument `text` is missing"}],"isError":true}"#,
            "response 1: {}",
            "response 6: error -32602",
            &text_result("7", "rung"),
        ],
    );
}
