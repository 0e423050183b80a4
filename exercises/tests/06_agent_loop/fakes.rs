//! The tools of a turn, which log what they do, and their approver.

use super::*;

/// Errors with details that the model must not see.
pub fn call_errors() -> [CallError; 4] {
    [
        CallError::Rpc(ErrorObject::new(-32603, "boom at /srv/app")),
        CallError::Timeout("no response to `tools/call` within 10s".into()),
        CallError::Transport("exit status 1, stderr: token=s3cret".into()),
        CallError::Rpc(ErrorObject::new(-32602, "unknown tool `gone`")),
    ]
}

/// Logs when it is dropped.
pub struct Dropped(pub Log, pub &'static str);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.note(format!("{} is dropped", self.1));
    }
}

/// A tool that logs that it runs, and then does what its name means.
struct Fake(Log, &'static str);

impl Tool for Fake {
    fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let arguments = Value::Object(call.arguments.0);
            self.0.note(format!("{} runs with {arguments}", self.1));
            let _guard = (self.1 == "hang").then(|| Dropped(self.0.clone(), "hang"));
            match self.1 {
                "fail" => Ok(ToolResult::failure("no such city")),
                "break" => Err(call_errors()[2].clone()),
                "refuse" => Err(call_errors()[0].clone()),
                "late" => Err(call_errors()[1].clone()),
                "gone" => Err(call_errors()[3].clone()),
                "blocks" => Ok(blocks()),
                "data" => Ok(ToolResult { content: vec![], ..blocks() }),
                "blank" => Ok(ToolResult { is_error: true, ..ToolResult::default() }),
                "hang" => pending().await,
                _ => {
                    yield_now().await;
                    self.0.note(format!("{} is done", self.1));
                    Ok(ToolResult::text("fine"))
                }
            }
        })
    }
}

/// A result with several blocks.
pub fn blocks() -> ToolResult {
    let image = json!({"type": "image", "mimeType": "image/png", "data": "AAAA"});
    let content = vec![
        json!({"type": "text", "text": "a map"}),
        image,
        json!({"type": "text", "text": "and a key"}),
    ];
    ToolResult { content, structured: Some(json!({"n": 1})), is_error: false }
}

/// Logs what it is asked, and allows calls whose text is `yes`.
pub struct AskedApprover(pub Log);

impl Approver for AskedApprover {
    fn decide<'a>(
        &'a self,
        spec: &'a ToolSpec,
        call: &'a ToolCall,
    ) -> BoxFuture<'a, Decision> {
        self.0.note(format!("the approver is asked: {} {call}", spec.risk));
        let allowed = call.arguments.get("text") == Some(&json!("yes"));
        let reason = "the user did not allow it".into();
        let denied = Decision::Deny { reason };
        Box::pin(ready(if allowed { Decision::Allow } else { denied }))
    }
}

pub fn fakes(log: &Log) -> Result<ToolRegistry, Failure> {
    let mut tools = ToolRegistry::new();
    for (name, risk) in [
        ("work", Risk::Auto),
        ("fail", Risk::Auto),
        ("break", Risk::Auto),
        ("refuse", Risk::Auto),
        ("late", Risk::Auto),
        ("gone", Risk::Auto),
        ("blocks", Risk::Auto),
        ("data", Risk::Auto),
        ("blank", Risk::Auto),
        ("hang", Risk::Auto),
        ("guarded", Risk::Approve),
    ] {
        let schema = json!({ "type": "object" });
        let info = ToolInfo::new(name, &format!("Does {name}."), schema);
        let spec = ToolSpec::local(info, risk);
        let added = tools.register(spec, Fake(log.clone(), name));
        added.map_err(|error| Failure::new(error.to_string()))?;
    }
    Ok(tools)
}
