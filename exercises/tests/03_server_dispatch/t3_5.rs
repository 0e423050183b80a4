use super::*;

const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#;

#[test]
fn no_call_before_the_handshake_is_done() {
    judge("3.5", "tools/call before notifications/initialized gets -32600", || {
        for mut server in [Recorder::new(), Recorder::initialized()?] {
            server
                .expect("response 3: error -32600", CALL)
                .likely("tools/call is behind the same gate as tools/list")?;
            for params in [
                r#"{"name":"no_such_tool"}"#,
                r#"{"name":5}"#,
                r#"{"name":"echo","arguments":[]}"#,
                "{}",
            ] {
                server
                    .expect(
                        "response 3: error -32600",
                        &with_params("3", "tools/call", params),
                    )
                    .likely("check the gate before the params")?;
            }
        }
        Ok(())
    });
}

#[test]
fn a_call_names_its_tool_and_carries_its_arguments() {
    judge("3.5", "a call is run: this tool, these arguments, this id", || {
        Recorder::ready()?
            .expect(&running("3"), CALL)
            .likely("pass on what the params contain")?;
        let params = r#"{"arguments":{"text":"","b":null,"a":[1.5,null]},"name":"echo","_meta":{}}"#;
        Recorder::ready()?
            .expect(
                r#"run echo {"text":"","b":null,"a":[1.5,null]} as "x""#,
                &with_params(r#""x""#, "tools/call", params),
            )
            .likely("pass on the unchanged arguments, and nothing else")
    });
}

#[test]
fn arguments_that_are_absent_or_null_are_empty() {
    judge("3.5", "arguments left out, or null, are {}", || {
        for params in [
            r#"{"name":"echo"}"#,
            r#"{"name":"echo","arguments":null}"#,
            r#"{"name":"echo","arguments":{}}"#,
        ] {
            Recorder::ready()?
                .expect("run echo {} as 3", &with_params("3", "tools/call", params))
                .likely(
                    "clients leave them out, or send null, for a tool without any",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_call_of_the_wrong_shape_is_a_protocol_error() {
    judge("3.5", "a name or arguments of another type get -32602", || {
        let likely = "the program that sent this is wrong, and no tool can help it";
        Recorder::ready()?
            .expect("response 3: error -32602", &request("3", "tools/call"))
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
                .expect(
                    "response 3: error -32602",
                    &with_params("3", "tools/call", params),
                )
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
                .expect(
                    "response 3: error -32602",
                    &with_params("3", "tools/call", &params),
                )
                .likely(
                    "without a tool, no tool has failed: this is not a result with \
                     `isError`; and -32601 is for methods",
                )?;
        }
        Ok(())
    });
}

#[test]
fn invalid_arguments_go_to_the_tool() {
    judge("3.5", "the tool itself checks its arguments", || {
        for arguments in ["{}", r#"{"text":5}"#, r#"{"txet":"hi"}"#] {
            let params = format!(r#"{{"name":"echo","arguments":{arguments}}}"#);
            Recorder::ready()?
                .expect(
                    &format!("run echo {arguments} as 3"),
                    &with_params("3", "tools/call", &params),
                )
                .likely(
                    "a protocol error finish the call before the model can read what \
                     was wrong; the tool's own words let it try again",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_result_is_sent_once_with_the_id_of_its_call() {
    judge("3.5", "each result is sent once, for its own call", || {
        let mut server = Recorder::calling("3")?;
        server
            .expect(&running(r#""3""#), &call(r#""3""#))
            .likely("\"3\" and 3 are different ids")?;
        server.expect(&running("4"), &call("4"))?;
        let order = "calls end in any order: respond to the one that `finish` gets";
        server
            .finish(&text_response("4", "four"), integer(4), ToolResult::text("four"))
            .likely(order)?;
        server
            .finish(
                &text_response(r#""3""#, "b"),
                Id::String("3".into()),
                ToolResult::text("b"),
            )
            .likely(order)?;
        server
            .finish(&text_response("3", "a"), integer(3), ToolResult::text("a"))
            .likely(order)?;
        server
            .finish("nothing", integer(3), ToolResult::text("a"))
            .likely("the call has its response already, and is not running any more")?;
        server
            .finish("nothing", integer(404), ToolResult::text("a"))
            .likely("no call runs under this id")
    });
}

#[test]
fn a_failed_tool_is_data() {
    judge("3.5", "a tool that fails is a result with isError, not an error", || {
        let failed =
            r#"{"content":[{"type":"text","text":"no such file"}],"isError":true}"#;
        Recorder::calling("3")?
            .finish(
                &format!("response 3: {failed}"),
                integer(3),
                ToolResult::failure("no such file"),
            )
            .likely("the model must read why, and errors are for the program")?;
        let structured = Some(json!({"n": 1}));
        let outcome = ToolResult { structured, ..ToolResult::text("1") };
        Recorder::calling("3")?
            .finish(
                r#"response 3: {"content":[{"type":"text","text":"1"}],"structuredContent":{"n":1}}"#,
                integer(3),
                outcome,
            )
            .likely("`ToolResult::to_json` writes all that a tool returns")
    });
}

#[test]
fn a_result_is_sent_whole() {
    judge("3.5", "a tool's result is sent whole: nothing is removed or added", || {
        let image = json!({"type": "image", "mimeType": "image/png", "data": "AAAA"});
        let text = json!({"type": "text", "text": "b"});
        let odd = json!({"type": "x-new", "n": 1});
        let outcome = ToolResult {
            content: vec![image, text, odd],
            structured: Some(json!({"code": 5})),
            is_error: true,
        };
        let whole = r#"response 3: {"content":[{"type":"image","mimeType":"image/png","data":"AAAA"},{"type":"text","text":"b"},{"type":"x-new","n":1}],"structuredContent":{"code":5},"isError":true}"#;
        Recorder::calling("3")?
            .finish(whole, integer(3), outcome)
            .likely("all blocks and the structured content, also of a failure")?;
        Recorder::calling("3")?
            .finish(r#"response 3: {"content":[]}"#, integer(3), ToolResult::default())
            .likely("a tool without output has no block in its result")
    });
}

#[test]
fn a_stray_response_ends_no_call() {
    judge("3.5", "a response gets no response, and ends no call", || {
        let likely = "the ids of the two directions are independent: the server sent \
                      no request";
        for line in [
            r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#,
        ] {
            let mut server = Recorder::calling("3")?;
            server.expect("nothing", line).likely(likely)?;
            server.expect("response 3: error -32600", &call("3")).likely(likely)?;
            server
                .finish(&text_response("3", "hi"), integer(3), ToolResult::text("hi"))
                .likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn a_refused_call_leaves_its_id_free() {
    judge("3.5", "only a call that runs takes its id", || {
        let mut server = Recorder::ready()?;
        let unknown = with_params("3", "tools/call", r#"{"name":"no_such_tool"}"#);
        server
            .expect("response 3: error -32602", &unknown)
            .likely("an unknown tool is refused: see the test about that")?;
        server
            .expect(&running("3"), CALL)
            .likely("the id was noted before the call was checked")?;
        server.finish(&text_response("3", "hi"), integer(3), ToolResult::text("hi"))?;
        server
            .expect(&running("3"), CALL)
            .likely("a call that has ended releases its id; real clients reuse it")
    });
}

#[test]
fn an_id_in_use_is_refused_and_the_running_call_continues() {
    judge("3.5", "while a call runs, no other request may have its id", || {
        let likely = "`request`, of 3.1, checks whether a call has the id, before the \
                      method; two responses with one id cannot be distinguished";
        for second in [
            call("7"),
            request("7", "ping"),
            request("7", "tools/list"),
            request("7", "no/such"),
            request("7", "initialize"),
            with_params("7", "tools/call", r#"{"name":"no_such_tool"}"#),
        ] {
            let mut server = Recorder::calling("7")?;
            server.expect("response 7: error -32600", &second).likely(likely)?;
            server
                .expect(r#"response "7": {}"#, &request(r#""7""#, "ping"))
                .likely("\"7\" is another id than 7")?;
            server
                .finish(&text_response("7", "hi"), integer(7), ToolResult::text("hi"))
                .likely("the refused request took the running call's place")?;
        }
        Ok(())
    });
}

#[test]
fn on_real_pipes_each_request_gets_its_response() {
    judge("3.5", "a whole conversation: each request gets one response", || {
        on_real_pipes(
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
                &text_response("5", "waited"),
                &text_response("3", "hi"),
                r#"response "3": {"content":[{"type":"text","text":"argument `text` is missing"}],"isError":true}"#,
                "response 1: {}",
                "response 6: error -32602",
                &text_response("7", "rung"),
            ],
        )
    });
}
