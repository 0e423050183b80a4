//! A model, tools and an approver that record what happens.

use super::*;

/// Call errors, with details that the model must not see.
pub fn trouble() -> [CallError; 4] {
    [
        CallError::Rpc(ErrorObject::new(-32603, "boom at /srv/app")),
        CallError::Timeout("no response to `tools/call` within 10s".into()),
        CallError::Transport("exit status 1, stderr: token=s3cret".into()),
        CallError::Rpc(ErrorObject::new(-32602, "unknown tool `gone`")),
    ]
}

/// Records its drop.
pub struct Dropped(pub Diary, pub &'static str);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.note(format!("{} is dropped", self.1));
    }
}

/// Ready after `polls` polls, and from then on.
pub fn after_looks(looks: usize) -> impl Future<Output = ()> + Send + Unpin {
    let mut left = looks + 1;
    poll_fn(move |context| {
        left = left.saturating_sub(1);
        if left == 0 {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

/// A model that plays a list of steps, and records what it gets.
#[derive(Default)]
pub struct Plan {
    pub steps: VecDeque<Result<Step, ModelError>>,
    pub shown: Vec<Vec<Entry>>,
    pub tools: Vec<Value>,
}

impl Plan {
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().map(Ok).collect(), ..Self::default() }
    }
}

impl Model for Plan {
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        tools: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, ModelError>> {
        self.shown.push(conversation.to_vec());
        self.tools = tools.to_vec();
        let over =
            || Err(ModelError("asked more often than the test has steps".into()));
        let step = self.steps.pop_front().unwrap_or_else(over);
        Box::pin(ready(step))
    }
}

/// A tool that records its calls, and then does what its name says.
pub struct Fake(pub Diary, pub &'static str);

impl Tool for Fake {
    fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let arguments = Value::Object(call.arguments.0);
            self.0.note(format!("{} runs with {arguments}", self.1));
            let _guard = (self.1 == "hang").then(|| Dropped(self.0.clone(), "hang"));
            match self.1 {
                "fail" => Ok(ToolResult::failure("no such city")),
                "break" => Err(trouble()[2].clone()),
                "refuse" => Err(trouble()[0].clone()),
                "late" => Err(trouble()[1].clone()),
                "gone" => Err(trouble()[3].clone()),
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

/// More than one text.
pub fn blocks() -> ToolResult {
    let image = json!({"type": "image", "mimeType": "image/png", "data": "AAAA"});
    let content = vec![
        json!({"type": "text", "text": "a map"}),
        image,
        json!({"type": "text", "text": "and a key"}),
    ];
    ToolResult { content, structured: Some(json!({"n": 1})), is_error: false }
}

/// An approver that records its questions, and allows the text `yes`.
pub struct Asked(pub Diary);

impl Approver for Asked {
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

pub fn fakes(diary: &Diary) -> Result<ToolRegistry, Failure> {
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
        let added = tools.register(spec, Fake(diary.clone(), name));
        added.map_err(|error| Failure::new(error.to_string()))?;
    }
    Ok(tools)
}
