use super::*;

/// What the server does when a tool is called.
#[derive(Clone, Copy)]
enum Does {
    /// Sends this, with the request's id in the place of `ID`.
    Says(&'static str),
    Nothing,
    HangsUp,
}

const WELCOME: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"0"}}}"#;

const TOOLS: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"wipe.disk","inputSchema":{"type":"object"}}]}}"#;

/// A server in this process, until its client hangs up or it does.
async fn serve(mut pipe: Transport, does: Does, heard: mpsc::UnboundedSender<Value>) {
    while let Some(Ok(body)) = pipe.receiver.receive().await {
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let response = match message["method"].as_str() {
            Some("initialize") => WELCOME,
            Some("tools/list") => TOOLS,
            Some("tools/call") => {
                let _ = heard.send(message.clone()); // the test may be over
                match does {
                    Does::Says(response) => response,
                    Does::Nothing => continue,
                    Does::HangsUp => return,
                }
            }
            _ => continue,
        };
        let response = response.replace("ID", &message["id"].to_string());
        if pipe.sender.send(response.into_bytes()).await.is_err() {
            return;
        }
    }
}

/// A client whose handshake is done, and the calls that its server hears.
async fn connect(
    does: Does,
) -> Result<(Client, mpsc::UnboundedReceiver<Value>), Failure> {
    let (ours, theirs) = Transport::pair(silent());
    let (tell, heard) = mpsc::unbounded_channel();
    tokio::spawn(serve(theirs, does, tell));
    let timeout = match does {
        Does::Nothing => Duration::from_millis(50),
        _ => ClientConfig::default().timeout,
    };
    let client =
        Client::over(ours, ClientConfig { timeout, ..ClientConfig::default() });
    let failed = |error| Failure::new(format!("no handshake: {error}"));
    client.handshake().await.map_err(failed)?;
    Ok((client, heard))
}

/// How a call of the remote tool `wipe.disk` ends.
async fn forwarded(does: Does) -> Result<Result<ToolResult, CallError>, Failure> {
    let (client, _heard) = connect(does).await?;
    let call = Call::new(params! { "disk": "a" });
    Ok(RemoteTool::new(client, "wipe.disk").call(call).await)
}

#[test]
fn the_wire_carries_the_servers_name_and_the_arguments() {
    judge_async("5.9", "tools/call carries the server's own name, once", async || {
        let empty = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}"#;
        let (client, mut heard) = connect(Does::Says(empty)).await?;
        let written = r#"{"z":[1.5,null],"a":{"é":"\u0001"}}"#;
        let tool = RemoteTool::new(client, "wipe.disk");
        let got = tool.call(Call::new(call("", written).arguments)).await;
        same(Ok(ToolResult::default()), got)
            .given("a response whose content is []")
            .likely("the result is returned as the client read it")?;
        let calls: Vec<_> = std::iter::from_fn(|| heard.try_recv().ok()).collect();
        let params: Vec<_> =
            calls.iter().map(|call| call["params"].to_string()).collect();
        same_bytes(
            format!(r#"{{"name":"wipe.disk","arguments":{written}}}"#),
            params.join("\n"),
        )
        .given("the params that the server hears")
        .likely("the unchanged name and arguments are sent in one request")
    });
}

#[test]
fn a_result_is_returned_whole() {
    judge_async("5.9", "a result is returned with all its content", async || {
        let response = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"two hits"},{"type":"video3d"}],"structuredContent":{"hits":2}}}"#;
        let expected = ToolResult {
            content: vec![
                json!({"type": "text", "text": "two hits"}),
                json!({"type": "video3d"}),
            ],
            structured: Some(json!({"hits": 2})),
            is_error: false,
        };
        same(Ok(expected), forwarded(Does::Says(response)).await?)
            .given(response)
            .likely(
                "structured content is kept for programs; text is made only for \
                     the model",
            )
    });
}

#[test]
fn a_failed_tool_is_an_outcome() {
    judge_async(
        "5.9",
        "`isError` is the tool's word to the model: in `Ok`",
        async || {
            let response = r#"{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}"#;
            same(
                Ok(ToolResult::failure("disk full")),
                forwarded(Does::Says(response)).await?,
            )
            .given(response)
            .likely("a failed tool is data, not a call error")
        },
    );
}

#[test]
fn a_json_rpc_error_keeps_its_code_message_and_data() {
    judge_async("5.9", "a JSON-RPC error keeps its code and data", async || {
        let response = r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"Unknown tool","data":{"k":[1]}}}"#;
        let data = Some(json!({"k": [1]}));
        let error = ErrorObject { data, ..ErrorObject::new(-32602, "Unknown tool") };
        same(Err(CallError::Rpc(error)), forwarded(Does::Says(response)).await?)
            .given(response)
            .likely("the server did not run the tool; it is the host's to look into")?;
        for code in [-32700, -32000, -31999, -1, 0, 1, 1001] {
            let error = ErrorObject::new(code, "no");
            let refused = CallError::Rpc(error.clone());
            same(refused, call_error(ClientError::Rpc(error)))
                .given(format!("a JSON-RPC error with the code {code}"))
                .likely("a server's own codes may be any integer: all are errors")?;
        }
        Ok(())
    });
}

#[test]
fn a_timeout_is_reported_as_one() {
    judge_async("5.9", "no response in time is `CallError::Timeout`", async || {
        let got = forwarded(Does::Nothing).await?;
        holds(matches!(got, Err(CallError::Timeout(_))), "Err(Timeout(…))", got)
            .given("a server that receives the call and never responds")
            .likely("the tool may have run: the error must state it")
    });
}

#[test]
fn a_closed_connection_reports_its_reason() {
    judge_async("5.9", "a closed connection is `CallError::Transport`", async || {
        let got = forwarded(Does::HangsUp).await?;
        holds(matches!(got, Err(CallError::Transport(_))), "Err(Transport(…))", got)
            .given("a server that hangs up in the middle of the call")
            .likely(
                "no response will arrive: that is neither a JSON-RPC error nor a \
                     timeout",
            )?;
        let closed = ClientError::Closed(Closed::because(
            "exit status: 3; stderr: no such disk",
        ));
        let got = call_error(closed).to_string();
        holds(got.contains("exit status: 3; stderr: no such disk"), "the reason", got)
            .given("a server that exited with status 3 and logged why")
            .likely("the error's text explains what happened")
    });
}

#[test]
fn a_malformed_response_is_an_error() {
    judge_async("5.9", "a malformed response is `CallError::Transport`", async || {
        for response in [
            r#"{"jsonrpc":"2.0","id":ID,"result":null}"#,
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":"text"}}"#,
            r#"{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required"}}"#,
        ] {
            let got = forwarded(Does::Says(response)).await?;
            holds(
                matches!(got, Err(CallError::Transport(_))),
                "Err(Transport(…))",
                got,
            )
            .given(response)
            .likely(
                "an unreadable result is not an empty one: the effect is unknown",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_call_from_the_registry_to_the_server_and_back() {
    judge_async("5.9", "model, approver, wire, server, and back as text", async || {
        let response = r#"{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}"#;
        let (client, mut heard) = connect(Does::Says(response)).await?;
        let mut registry = ToolRegistry::new();
        let options = options("s__", Risk::Approve, &[]);
        let merged = register_mcp_tools(&mut registry, &client, &options).await;
        let failed = |error| Failure::new(format!("nothing merged: {error}"));
        let name = merged.map_err(failed)?.names.pop().unwrap_or_default();
        let call = call(&name, r#"{"disk":"a"}"#);
        let refused = outcome(&registry, &call, &deny_all).await?;
        let given = format!("{call}, and an approver that denies it");
        let sent = heard.try_recv().map(|call| call["params"].to_string()).ok();
        same(None, sent)
            .given(format!("{given}: what the server hears"))
            .likely("the approver decides before anything is sent")?;
        is_reported(refused).given(given)?;
        let approver = Asked::yes_to(call.to_string().leak());
        let got = outcome(&registry, &call, &approver).await?;
        let text = to_text(&got);
        holds(text.contains("disk full"), "a text with “disk full”", text)
            .given(format!("{call}, which was allowed and failed at the server"))
            .likely("one of 5.3, 5.5 and 5.9 changed it")?;
        let sent = heard.try_recv().map(|call| call["params"].to_string());
        same_bytes(
            r#"{"name":"wipe.disk","arguments":{"disk":"a"}}"#,
            sent.unwrap_or_default(),
        )
        .given(format!("{call}, and the params that the server hears"))
        .likely("the forwarder is made with the server's name, by `merge`")
    });
}
