//! A session, its input so far, and what it must do about the next line.

use super::*;

/// What a session does about a message, without the text of an error or of
/// [`Action::Ignore`], which is up to the learner.
#[derive(PartialEq)]
pub struct Reaction(pub String);

impl fmt::Debug for Reaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Reaction {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<Action> for Reaction {
    fn from(action: Action) -> Self {
        match action {
            Action::Reply(response) => (&response).into(),
            Action::Call { id, tool, arguments } => {
                let (name, arguments) = (&tool.info.name, Value::Object(arguments));
                Self(format!("run {name} {arguments} as {id}"))
            }
            Action::Cancel(id) => Self(format!("cancel {id}")),
            Action::Nothing | Action::Ignore(_) => Self("nothing".into()),
        }
    }
}

impl From<&Response> for Reaction {
    fn from(response: &Response) -> Self {
        let id = response.id.as_ref().map_or("without id".into(), Id::to_string);
        Self(match &response.result {
            Err(error) => format!("response {id}: error {}", error.code),
            Ok(result) => format!("response {id}: {}", summary(result)),
        })
    }
}

/// The revision or the names of the tools, if the result has them.
fn summary(result: &Value) -> String {
    if let Some(version) = result["protocolVersion"].as_str() {
        return format!("revision {version}");
    }
    let Some(tools) = result["tools"].as_array() else { return result.to_string() };
    let names = tools.iter().map(|tool| tool["name"].as_str().unwrap_or("?"));
    format!("tools {}", names.collect::<Vec<_>>().join(", "))
}

/// A session, and the lines that it has received.
pub struct Recorder {
    session: Session,
    given: Vec<String>,
}

impl Recorder {
    pub fn new() -> Self {
        Self::with(&[echo().0])
    }

    pub fn with(tools: &[ToolInfo]) -> Self {
        Self { session: session_of(tools), given: Vec::new() }
    }

    /// After the response to `initialize`.
    pub fn initialized() -> Result<Self, Failure> {
        Self::new().initialize()
    }

    /// After the handshake.
    pub fn ready() -> Result<Self, Failure> {
        Self::new().handshake()
    }

    /// After the handshake, while a call of `echo` with this id runs.
    pub fn calling(id: &str) -> Result<Self, Failure> {
        let mut session = Self::ready()?;
        session
            .expects(&running(id), &call(id))
            .likely("this test begins with a call that runs: see task 3.5")?;
        Ok(session)
    }

    fn initialize(mut self) -> Result<Self, Failure> {
        self.expects(AGREED, INITIALIZE)
            .likely("this test begins with `initialize`: see task 3.2")?;
        self.given = vec!["(`initialize` and its response)".into()];
        Ok(self)
    }

    pub fn handshake(self) -> Result<Self, Failure> {
        let mut session = self.initialize()?;
        session.receive(INITIALIZED);
        let listed = Reaction::from(session.receive(LIST));
        holds(listed != Reaction::from(NOT_READY), "an open gate", listed)
            .given(session.given.join("\n"))
            .likely("this test needs an open gate: see task 3.4")?;
        session.given = vec!["(the handshake)".into()];
        Ok(session)
    }

    fn receive(&mut self, line: &str) -> Action {
        self.given.push(line.into());
        self.session.receive(jsonrpc::parse(line.as_bytes()))
    }

    /// The session receives a line, and must do this.
    pub fn expects(&mut self, expected: &str, line: &str) -> Verdict {
        let got = Reaction::from(self.receive(line));
        same(Reaction::from(expected), got).given(self.given.join("\n"))
    }

    /// The result in the response to a line.
    pub fn result(&mut self, line: &str) -> Result<Value, Failure> {
        match self.receive(line) {
            Action::Reply(Response { result: Ok(result), .. }) => Ok(result),
            other => {
                holds(false, "a result", Reaction::from(other))
                    .given(self.given.join("\n"))
                    .likely("this request is valid: respond with a result")?;
                Ok(Value::Null)
            }
        }
    }

    /// A call ends, and the session must do this.
    pub fn finishes(&mut self, expected: &str, id: Id, result: ToolResult) -> Verdict {
        self.given.push(format!("the result of the call {id}"));
        let got = self.session.finish(&id, Ok(result.to_json()));
        let got = got.as_ref().map_or("nothing".into(), Reaction::from);
        same(Reaction::from(expected), got).given(self.given.join("\n"))
    }

    /// How the session would write an unknown id.
    pub fn unknown_id(&self, expected: UnknownId) -> Verdict {
        same(expected, self.session.unknown_id()).given(self.given.join("\n"))
    }
}

/// A session whose tools are never run.
pub fn session_of(tools: &[ToolInfo]) -> Session {
    let mut catalog = Catalog::new(Implementation::new("server", "1.0.0"));
    for info in tools {
        let added = catalog.add(info.clone(), from_fn(|_| Ok(ToolResult::default())));
        added.expect("the test's tools have different names");
    }
    Session::new(Arc::new(catalog))
}
