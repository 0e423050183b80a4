use super::*;

/// What the server does about a `tools/call`.
#[derive(Clone, Copy)]
enum Reaction {
    /// Sends this, with the id of the request in place of `ID`.
    Send(&'static str),
    Ignore,
    Close,
}

const WELCOME: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"0"}}}"#;

const TOOLS: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"wipe.disk","inputSchema":{"type":"object"}}]}}"#;

/// A server in this process, until the connection is closed.
async fn serve(
    mut pipe: Transport,
    reaction: Reaction,
    calls: mpsc::UnboundedSender<Value>,
) {
    while let Some(Ok(body)) = pipe.receiver.receive().await {
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let response = match message["method"].as_str() {
            Some("initialize") => WELCOME,
            Some("tools/list") => TOOLS,
            Some("tools/call") => {
                let _ = calls.send(message.clone()); // the test may have ended
                match reaction {
                    Reaction::Send(response) => response,
                    Reaction::Ignore => continue,
                    Reaction::Close => return,
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

/// A client after the handshake, and the calls that its server receives.
async fn connect(
    reaction: Reaction,
) -> Result<(Client, mpsc::UnboundedReceiver<Value>), Failure> {
    let (ours, theirs) = Transport::pair(silent());
    let (record, calls) = mpsc::unbounded_channel();
    tokio::spawn(serve(theirs, reaction, record));
    let timeout = match reaction {
        Reaction::Ignore => Duration::from_millis(50),
        _ => ClientConfig::default().timeout,
    };
    let client =
        Client::over(ours, ClientConfig { timeout, ..ClientConfig::default() });
    let failed = |error| Failure::new(format!("no handshake: {error}"));
    client.handshake().await.map_err(failed)?;
    Ok((client, calls))
}

/// How a call of the remote tool `wipe.disk` ends.
async fn forwarded(
    reaction: Reaction,
) -> Result<Result<ToolResult, CallError>, Failure> {
    let (client, _calls) = connect(reaction).await?;
    let call = Call::new(params! { "disk": "a" });
    Ok(RemoteTool::new(client, "wipe.disk").call(call).await)
}

#[test]
fn the_request_has_the_servers_name_and_the_arguments() {
    judge_async("5.9", "tools/call has the server's name of the tool", async || {
        let empty = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}"#;
        let (client, mut received) = connect(Reaction::Send(empty)).await?;
        let written = r#"{"z":[1.5,null],"a":{"é":"\u0001"}}"#;
        let tool = RemoteTool::new(client, "wipe.disk");
        let result = tool.call(Call::new(call("", written).arguments)).await;
        same(Ok(ToolResult::default()), result)
            .given("a response whose content is []")
            .likely("return the result that the client received unchanged")?;
        let calls: Vec<_> = std::iter::from_fn(|| received.try_recv().ok()).collect();
        let params: Vec<_> =
            calls.iter().map(|call| call["params"].to_string()).collect();
        same_bytes(
            format!(r#"{{"name":"wipe.disk","arguments":{written}}}"#),
            params.join("\n"),
        )
        .given("the params that the server receives")
        .likely("send the name and the arguments unchanged, in one request")
    });
}

#[test]
fn a_result_is_returned_unchanged() {
    judge_async("5.9", "a result is returned with all of its members", async || {
        let response = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"two hits"},{"type":"video3d"}],"structuredContent":{"hits":2}}}"#;
        let expected = ToolResult {
            content: vec![
                json!({"type": "text", "text": "two hits"}),
                json!({"type": "video3d"}),
            ],
            structured: Some(json!({"hits": 2})),
            is_error: false,
        };
        same(Ok(expected), forwarded(Reaction::Send(response)).await?)
            .given(response)
            .likely("keep all members: the text for the model is made later")
    });
}

#[test]
fn a_failed_tool_is_a_result() {
    judge_async("5.9", "a result with `isError` is `Ok`, for the model", async || {
        let response = r#"{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}"#;
        same(
            Ok(ToolResult::failure("disk full")),
            forwarded(Reaction::Send(response)).await?,
        )
        .given(response)
        .likely("a failed tool is a result, not a transport failure")
    });
}

#[test]
fn a_json_rpc_error_is_an_rpc_error_with_code_and_data() {
    judge_async("5.9", "a JSON-RPC error is `CallError::Rpc`, whole", async || {
        let response = r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"Unknown tool","data":{"k":[1]}}}"#;
        let data = Some(json!({"k": [1]}));
        let error = ErrorObject { data, ..ErrorObject::new(-32602, "Unknown tool") };
        same(Err(CallError::Rpc(error)), forwarded(Reaction::Send(response)).await?)
            .given(response)
            .likely("keep the whole error object: the host needs it")?;
        for code in [-32700, -32000, -31999, -1, 0, 1, 1001] {
            let error = ErrorObject::new(code, "no");
            let expected = CallError::Rpc(error.clone());
            same(expected, call_error(ClientError::Rpc(error)))
                .given(format!("a JSON-RPC error with the code {code}"))
                .likely("a server may use any integer as a code: treat all alike")?;
        }
        Ok(())
    });
}

#[test]
fn a_missing_response_is_a_timeout() {
    judge_async("5.9", "no response in time is `CallError::Timeout`", async || {
        let got = forwarded(Reaction::Ignore).await?;
        holds(matches!(got, Err(CallError::Timeout(_))), "Err(Timeout(…))", got)
            .given("a server that receives the call and sends no response")
            .likely("report a timeout as such: the tool may still have run")
    });
}

#[test]
fn a_closed_connection_is_a_transport_error_with_the_reason() {
    judge_async("5.9", "a closed connection is `CallError::Transport`", async || {
        let got = forwarded(Reaction::Close).await?;
        holds(matches!(got, Err(CallError::Transport(_))), "Err(Transport(…))", got)
            .given("a server that closes the connection during the call")
            .likely("no response can arrive: this is not a timeout or an RPC error")?;
        let closed = ClientError::Closed(Closed::because(
            "exit status: 3; stderr: no such disk",
        ));
        let got = call_error(closed).to_string();
        holds(got.contains("exit status: 3; stderr: no such disk"), "the reason", got)
            .given("a server that exited with status 3 and a message on stderr")
            .likely("keep the text of the client's error: it has the reason")
    });
}

#[test]
fn a_malformed_response_is_a_transport_error() {
    judge_async("5.9", "a malformed response is `CallError::Transport`", async || {
        for response in [
            r#"{"jsonrpc":"2.0","id":ID,"result":null}"#,
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":"text"}}"#,
            r#"{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required"}}"#,
        ] {
            let got = forwarded(Reaction::Send(response)).await?;
            holds(
                matches!(got, Err(CallError::Transport(_))),
                "Err(Transport(…))",
                got,
            )
            .given(response)
            .likely(
                "an unreadable result is not an empty one: the outcome is unknown",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_call_from_the_model_to_the_server_and_back() {
    judge_async("5.9", "a call reaches the server; its result is text", async || {
        let response = r#"{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}"#;
        let (client, mut received) = connect(Reaction::Send(response)).await?;
        let mut registry = ToolRegistry::new();
        let options = options("s__", Risk::Approve, &[]);
        let merged = register_mcp_tools(&mut registry, &client, &options).await;
        let failed = |error| Failure::new(format!("nothing merged: {error}"));
        let name = merged.map_err(failed)?.names.pop().unwrap_or_default();
        let call = call(&name, r#"{"disk":"a"}"#);
        let denied = execute(&registry, &call, &deny_all).await?;
        let given = format!("{call}, and an approver that denies it");
        let sent = received.try_recv().map(|call| call["params"].to_string()).ok();
        same(None, sent)
            .given(format!("{given}: what the server receives"))
            .likely("ask the approver before you send the call")?;
        is_readable_failure(denied).given(given)?;
        let approver = Asked::allowing(call.to_string().leak());
        let result = execute(&registry, &call, &approver).await?;
        let text = to_text(&result);
        holds(text.contains("disk full"), "a text with “disk full”", text)
            .given(format!("{call}, which was allowed and failed at the server"))
            .likely("the code of 5.3, 5.5 or 5.9 changed it")?;
        let sent = received.try_recv().map(|call| call["params"].to_string());
        same_bytes(
            r#"{"name":"wipe.disk","arguments":{"disk":"a"}}"#,
            sent.unwrap_or_default(),
        )
        .given(format!("{call}, and the params that the server receives"))
        .likely("`merge` must make the forwarder with the server's name")
    });
}
