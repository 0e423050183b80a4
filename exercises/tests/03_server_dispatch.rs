//! Exercise 3: the server's rules
//!
//! You write what a server owes for each message: an answer, a call, or nothing. You
//! read no pipe and start no task: a message goes into a `Session`, an `Action` comes
//! out. The given `Server` does what the action says, and the tests that say
//! `on_real_pipes` run yours in it, as a process of its own.
//!
//! Where   `exercises/src/server/session.rs`, and one function in
//!         `exercises/src/protocol.rs`. A function to write says `todo!("task 3.…")`;
//!         the lines above it say what it takes, returns and refuses. What is written
//!         already, you may use or replace; signatures that are `pub` stay as they are.
//! Tasks   3.1  answer what any server answers
//!         3.2  agree on a revision
//!         3.3  answer no notification
//!         3.4  open the gate, and list the tools
//!         3.5  call a tool, and answer with what it says
//!         3.6  cancel a running call
//! Order   as numbered; each one needs those before it. One rule of 3.1 can be seen
//!         only once calls run, so a test of 3.5 judges it: an id in use is refused.
//! Given   `Server` and `Calls`, which read, run the tools and write; the contents of
//!         the handshake in `protocol.rs`; messages, frames and tools from the library.
//! Read    the book, chapter 3; MCP 2025-11-25, basic/lifecycle, basic/utilities
//!         (ping, cancellation), server/tools.
//! Judge   cargo test -p exercises --test 03_server_dispatch t3_1
//!         (without `t3_1` all tasks; all exercises, while all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    copy your `session.rs` and `protocol.rs` over those in `src/`, run `cargo
//!         run --bin 03-echo-server -- --demo`, and compare with the transcript.
//!         (The tests of the book miss marks then; `git restore src` brings them back.)

#[cfg(feature = "reference")]
use mcp_from_scratch::{protocol, server};
#[cfg(not(feature = "reference"))]
#[path = "../src"]
mod exercise {
    pub mod protocol;
    pub mod server;
}
#[cfg(not(feature = "reference"))]
use exercise::{protocol, server};
// What your modules find as `crate::…` beside themselves.
#[allow(unused_imports)]
use mcp_from_scratch::{frame, jsonrpc, tool, transcript, transport};

use exercises::{Explain, Failure, Verdict, child, holds, judge, same};
use jsonrpc::{Id, Message, Response, UnknownId};
use protocol::Implementation;
use serde_json::{Value, json};
use server::{Action, Server, Session};
use std::{fmt, sync::Arc};
use tokio::sync::Notify;
use tool::{Arguments, BoxFuture, FunctionTool, Tool, ToolInfo, ToolResult, echo};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#;
const AGREED: &str = r#"answer "init": revision 2025-11-25"#;
const SHUT: &str = "answer 2: error -32600";
const LISTED: &str = "answer 2: tools echo";

/// What is owed for a message, without what is the learner's own: the words of an
/// error and of [`Action::Ignore`].
#[derive(PartialEq)]
struct Owed(String);

impl fmt::Debug for Owed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Owed {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<Action> for Owed {
    fn from(action: Action) -> Self {
        match action {
            Action::Reply(response) => (&response).into(),
            Action::Call { id, tool, arguments: Arguments(arguments) } => {
                Self(format!("run {tool} {} as {id}", Value::Object(arguments)))
            }
            Action::Cancel(id) => Self(format!("stop {id}")),
            Action::Nothing | Action::Ignore(_) => Self("nothing".into()),
        }
    }
}

impl From<&Response> for Owed {
    fn from(response: &Response) -> Self {
        let id = response.id.as_ref().map_or("without id".into(), Id::to_string);
        Self(match &response.outcome {
            Err(error) => format!("answer {id}: error {}", error.code),
            Ok(result) => format!("answer {id}: {}", gist(result)),
        })
    }
}

/// The revision or the tools' names, where the result is about these.
fn gist(result: &Value) -> String {
    if let Some(version) = result["protocolVersion"].as_str() {
        return format!("revision {version}");
    }
    let Some(tools) = result["tools"].as_array() else { return result.to_string() };
    let names = tools.iter().map(|tool| tool["name"].as_str().unwrap_or("?"));
    format!("tools {}", names.collect::<Vec<_>>().join(", "))
}

/// One session, and what it was given up to now.
struct Recorder {
    session: Session,
    given: Vec<String>,
}

impl Recorder {
    fn new() -> Self {
        Self::with(&[echo().info().clone()])
    }

    fn with(tools: &[ToolInfo]) -> Self {
        let session =
            Session::new(Implementation::new("server", "1.0.0"), tools.to_vec());
        Self { session, given: Vec::new() }
    }

    /// `initialize` is answered.
    fn initialized() -> Result<Self, Failure> {
        Self::new().begun()
    }

    /// The handshake is done.
    fn ready() -> Result<Self, Failure> {
        Self::new().begun()?.open()
    }

    fn begun(mut self) -> Result<Self, Failure> {
        self.owes(AGREED, INITIALIZE)
            .likely("what this test is about begins with `initialize`, task 3.2")?;
        self.given = vec!["(`initialize`, which is answered)".into()];
        Ok(self)
    }

    fn open(mut self) -> Result<Self, Failure> {
        self.hear(INITIALIZED);
        let listed = Owed::from(self.hear(LIST));
        holds(listed != Owed::from(SHUT), "an open gate", listed)
            .given(self.given.join("\n"))
            .likely(
                "the gate of task 3.4 does not open, so nothing else can be seen",
            )?;
        self.given = vec!["(the handshake)".into()];
        Ok(self)
    }

    /// The handshake is done, and a call of `echo` runs under this id.
    fn calling(id: &str) -> Result<Self, Failure> {
        let mut talk = Self::ready()?;
        talk.owes(&running(id), &call(id))
            .likely("what this test is about begins with a call that runs, task 3.5")?;
        Ok(talk)
    }

    fn hear(&mut self, line: &str) -> Action {
        self.given.push(line.into());
        self.session.receive(jsonrpc::parse(line.as_bytes()))
    }

    fn owes(&mut self, expected: &str, line: &str) -> Verdict {
        let got = Owed::from(self.hear(line));
        same(Owed::from(expected), got).given(self.given.join("\n"))
    }

    /// The result with which a line is answered.
    fn result(&mut self, line: &str) -> Result<Value, Failure> {
        match self.hear(line) {
            Action::Reply(Response { outcome: Ok(result), .. }) => Ok(result),
            other => {
                holds(false, "a result", Owed::from(other))
                    .given(self.given.join("\n"))
                    .likely(
                        "this one is answered well, whatever the other tests ask",
                    )?;
                Ok(Value::Null)
            }
        }
    }

    /// A call ends, and this is owed for it.
    fn ends(&mut self, expected: &str, id: Id, outcome: ToolResult) -> Verdict {
        self.given.push(format!("the outcome of the call {id}"));
        let got = self.session.finish(&id, outcome);
        let got = got.as_ref().map_or("nothing".into(), Owed::from);
        same(Owed::from(expected), got).given(self.given.join("\n"))
    }

    /// How something unreadable would be answered.
    fn unknown_id(&self, expected: UnknownId) -> Verdict {
        same(expected, self.session.unknown_id()).given(self.given.join("\n"))
    }
}

/// Whatever the order of members.
fn same_json(expected: &Value, got: &Value) -> Verdict {
    if expected == got {
        return Ok(());
    }
    same(Owed(expected.to_string()), Owed(got.to_string()))
}

fn integer(number: i128) -> Id {
    Id::Integer(number)
}

fn request(id: &str, method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#)
}

fn with_params(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn call(id: &str) -> String {
    with_params(id, "tools/call", r#"{"name":"echo","arguments":{"text":"hi"}}"#)
}

fn running(id: &str) -> String {
    format!(r#"run echo {{"text":"hi"}} as {id}"#)
}

fn offer(version: &str) -> String {
    INITIALIZE.replace("2025-11-25", version)
}

fn cancel(id: &str) -> String {
    let params = format!(r#"{{"requestId":{id},"reason":"enough"}}"#);
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
    )
}

// On real pipes: this very test program, started again, is the server

/// The test whose first line makes it the server.
const SERVER: &str = "t3_1_on_real_pipes_stdout_carries_frames_only";

/// Ends when the other tool rings.
struct Wait(ToolInfo, Arc<Notify>);

impl Tool for Wait {
    fn info(&self) -> &ToolInfo {
        &self.0
    }

    fn call(&self, _: Arguments) -> BoxFuture<'_, ToolResult> {
        Box::pin(async {
            self.1.notified().await;
            ToolResult::text("waited")
        })
    }
}

fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let info = |name| ToolInfo::new(name, "", json!({"type": "object"}));
    let bell = Arc::new(Notify::new());
    let wait = Wait(info("wait"), bell.clone());
    let ring = FunctionTool::new(info("ring"), move |_| {
        bell.notify_one();
        Ok(ToolResult::text("rung"))
    });
    let me = Implementation::new("server", "1.0.0");
    let server = Server::new(me).with(echo()).with(wait).with(ring);
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(
        async {
            let pipes = transport::Transport::stdio(None, transport::silent())?;
            Ok(server.serve(pipes).await?)
        },
    )
}

/// Gives the lines to a server that is a process, and expects these answers, each once,
/// in any order, and nothing else on its stdout.
fn on_real_pipes(lines: &[&str], expected: &[&str]) -> Verdict {
    rehearse(lines);
    let input = lines.join("\n") + "\n";
    let mut owed: Vec<Owed> = expected.iter().copied().map(Owed::from).collect();
    let mut others = Vec::new();
    for line in child::talk(SERVER, &input)? {
        let Ok(Message::Response(answer)) = jsonrpc::parse(line.as_bytes()) else {
            let line = Owed(transcript::escape_untrusted(line.as_bytes()));
            return holds(false, "one JSON-RPC answer a line, and nothing else", line)
                .given(input)
                .likely(
                    "a `println!`: stdout belongs to frames; look with `eprintln!`",
                );
        };
        let answer = Owed::from(&answer);
        match owed.iter().position(|one| *one == answer) {
            Some(at) => drop(owed.remove(at)),
            None => others.push(answer),
        }
    }
    // Calls end in any order, and the same mistake is to be told in the same words.
    if let Some(answer) = others.into_iter().min_by(|a, b| a.0.cmp(&b.0)) {
        return not_owed(&owed, answer).given(input);
    }
    holds(owed.is_empty(), one_of(&owed), Owed::from("the end of stdout"))
        .given(input)
        .likely("a request that was taken and not answered; its client waits")
}

fn not_owed(owed: &[Owed], answer: Owed) -> Verdict {
    let id = answer.0.split_inclusive(": ").next().unwrap_or_default();
    match owed.iter().find(|one| one.0.starts_with(id)) {
        Some(other) => holds(false, &other.0, answer)
            .likely("the right id and another answer; a test without pipes says more"),
        None => holds(false, one_of(owed), answer).likely(
            "nobody waits for it: another id, a second answer, or one to a notification",
        ),
    }
}

fn one_of(owed: &[Owed]) -> String {
    if owed.is_empty() {
        return "nothing more".into();
    }
    owed.iter().map(|one| one.0.as_str()).collect::<Vec<_>>().join("\n")
}

/// The same without pipes, so that a panic is told with its place.
fn rehearse(lines: &[&str]) {
    let info = |name| ToolInfo::new(name, "", json!({}));
    let infos = ["echo", "wait", "ring"].map(info);
    let mut session =
        Session::new(Implementation::new("server", "1.0.0"), infos.into());
    for line in lines {
        let action = session.receive(jsonrpc::parse(line.as_bytes()));
        if let Action::Call { id, .. } = action {
            session.finish(&id, ToolResult::default());
        }
    }
}

// Task 3.1: answer what any server answers

#[test]
fn t3_1_on_real_pipes_stdout_carries_frames_only() {
    child::serve_if_child(serve);
    judge("3.1", "stdout carries one answer a line, and nothing else", || {
        on_real_pipes(
            &[PING, &request("2", "no/such"), &request(r#""1""#, "ping")],
            &["answer 1: {}", "answer 2: error -32601", r#"answer "1": {}"#],
        )
    });
}

#[test]
fn t3_1_ping_is_answered_before_the_handshake() {
    judge("3.1", "ping is answered with {}, at any time", || {
        let likely = "ping has no state to wait for: it asks whether you are there";
        Recorder::new().owes("answer 1: {}", PING).likely(likely)?;
        for params in ["null", "{}", r#"{"_meta":{"progressToken":1}}"#] {
            Recorder::new()
                .owes("answer 1: {}", &with_params("1", "ping", params))
                .likely(
                    "params, absent, null or with `_meta`, are no reason to refuse",
                )?;
        }
        Ok(())
    });
}

#[test]
fn t3_1_an_unknown_method_is_not_found() {
    judge("3.1", "a method that is none of ours gets -32601", || {
        for method in ["no/such", "server/discover", "Ping", "tools/list/", "tools", ""]
        {
            Recorder::new()
                .owes("answer 1: error -32601", &request("1", method))
                .likely("a request is always answered, and a name is compared whole")?;
        }
        Ok(())
    });
}

#[test]
fn t3_1_a_notification_with_an_id_is_an_unknown_request() {
    judge("3.1", "the id makes the request, whatever the method is called", || {
        for method in ["notifications/initialized", "notifications/cancelled"] {
            Recorder::new()
                .owes("answer 7: error -32601", &request("7", method))
                .likely(
                    "its sender waits for an answer, and no request has this name",
                )?;
        }
        Ok(())
    });
}

#[test]
fn t3_1_an_id_comes_back_exactly() {
    judge("3.1", "an answer carries the id of its request, as it came", || {
        for id in ["0", "-1", "18446744073709551616", r#""1""#, r#""""#, r#""你好""#]
        {
            let mut talk = Recorder::new();
            talk.owes(&format!("answer {id}: {{}}"), &request(id, "ping")).likely(
                "an `Id` is handed on as it is, never through text or a number",
            )?;
            talk.owes(&format!("answer {id}: error -32601"), &request(id, "no/such"))
                .likely("an error carries the id as well as a result does")?;
        }
        Ok(())
    });
}

#[test]
fn t3_1_a_malformed_request_is_answered() {
    judge(
        "3.1",
        "what may have been a request is answered, with its id if any",
        || {
            let array = with_params("7", "ping", "[1]");
            for (expected, line) in [
                ("answer 7: error -32602", &*array),
                (
                    "answer 8: error -32600",
                    r#"{"jsonrpc":"1.0","id":8,"method":"ping"}"#,
                ),
                ("answer without id: error -32600", r#"[{"jsonrpc":"2.0","id":1}]"#),
                ("answer without id: error -32700", "{"),
            ] {
                Recorder::new()
                    .owes(expected, line)
                    .likely("`ParseError::reply` knows its code and its id")?;
            }
            Ok(())
        },
    );
}

#[test]
fn t3_1_what_is_no_request_is_not_answered() {
    judge("3.1", "a response and a malformed notification are owed nothing", || {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":"no object"}"#,
            r#"{"jsonrpc":"2.0","method":"no/such","params":5}"#,
            r#"{"jsonrpc":"1.0","method":"no/such"}"#,
        ] {
            Recorder::new().owes("nothing", line).likely(
                "two ends that answer what is no request answer each other for ever",
            )?;
        }
        Ok(())
    });
}

// Task 3.2: agree on a revision

#[test]
fn t3_2_a_revision_that_we_speak_is_agreed_on() {
    judge("3.2", "a revision that the server speaks is answered with itself", || {
        for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
            let expected = format!(r#"answer "init": revision {version}"#);
            Recorder::new()
                .owes(&expected, &offer(version))
                .likely("the newest was taken although the client does not know it")?;
        }
        Ok(())
    });
}

#[test]
fn t3_2_any_other_revision_is_answered_with_our_newest() {
    judge("3.2", "a revision that we do not speak is answered with our newest", || {
        let expected = r#"answer "init": revision 2025-11-25"#;
        for version in ["1999-01-01", "9999-01-01", "2026-07-28", "2025-03-26", "1.0"] {
            Recorder::new().owes(expected, &offer(version)).likely(
                "it was echoed, which promises what we cannot keep, or refused, \
                 although only the client can decide to leave",
            )?;
        }
        for version in ["2025-06-18-draft", "2025-06", "2024", " 2024-11-05", ""] {
            Recorder::new()
                .owes(expected, &offer(version))
                .likely("a revision is compared whole; a part of it is none")?;
        }
        Ok(())
    });
}

#[test]
fn t3_2_the_answer_says_who_the_server_is_and_that_it_has_tools() {
    judge("3.2", "the result has capabilities and serverInfo", || {
        let mut talk = Recorder::new();
        let result = talk.result(INITIALIZE)?;
        same_json(&json!("server"), &result["serverInfo"]["name"])
            .given(INITIALIZE)
            .likely("`Session::new` was told who the server is")?;
        same_json(&json!("1.0.0"), &result["serverInfo"]["version"])
            .given(INITIALIZE)?;
        let has_tools = result["capabilities"]["tools"].is_object();
        holds(has_tools, r#""capabilities":{"tools":{}}"#, Owed(result.to_string()))
            .given(INITIALIZE)
            .likely("what is not declared is not asked for")
    });
}

#[test]
fn t3_2_a_revision_is_all_that_initialize_needs() {
    judge("3.2", "initialize is answered if it has a protocolVersion", || {
        for others in [
            "",
            r#","capabilities":{}"#,
            r#","clientInfo":{"name":"t","version":"0"}"#,
            r#","capabilities":null,"clientInfo":null,"_meta":{}"#,
        ] {
            let params = format!(r#"{{"protocolVersion":"2025-06-18"{others}}}"#);
            Recorder::new()
                .owes(
                    "answer 1: revision 2025-06-18",
                    &with_params("1", "initialize", &params),
                )
                .likely("what we do not read, we need not ask for")?;
        }
        Ok(())
    });
}

#[test]
fn t3_2_initialize_without_a_revision_fails_and_may_be_repeated() {
    judge("3.2", "without a string protocolVersion it is -32602, and no harm", || {
        let mut talk = Recorder::new();
        for line in [
            request("1", "initialize"),
            with_params("1", "initialize", "{}"),
            with_params("1", "initialize", r#"{"protocolVersion":20250618}"#),
            with_params("1", "initialize", r#"{"protocolVersion":null}"#),
        ] {
            talk.owes("answer 1: error -32602", &line)
                .likely("look at the params before any state is changed")?;
        }
        talk.owes(AGREED, INITIALIZE)
            .likely("a refused `initialize` had changed the state already")
    });
}

#[test]
fn t3_2_a_second_initialize_is_refused_and_resets_nothing() {
    judge("3.2", "the second initialize gets -32600; the first one stands", || {
        let mut talk = Recorder::new();
        talk.result(&offer("2025-06-18"))?;
        talk.owes(r#"answer "init": error -32600"#, INITIALIZE)
            .likely("a session agrees once; whether it has is to be remembered")?;
        talk.unknown_id(UnknownId::Null)
            .likely("the second one changed the agreed revision")
    });
}

#[test]
fn t3_2_the_agreed_revision_is_remembered() {
    judge(
        "3.2",
        "what is agreed on decides how unreadable things are answered",
        || {
            let before = Recorder::new();
            before.unknown_id(UnknownId::Null).likely("nothing is agreed on yet")?;
            for (expected, version) in [
                (UnknownId::Null, "2024-11-05"),
                (UnknownId::Absent, "2025-11-25"),
                (UnknownId::Absent, "9999-01-01"),
            ] {
                let mut talk = Recorder::new();
                talk.result(&offer(version))?;
                talk.unknown_id(expected)
                    .likely("`version` of the session is what was answered")?;
            }
            Ok(())
        },
    );
}

// Task 3.3: answer no notification

#[test]
fn t3_3_a_notification_that_nobody_knows_is_not_answered() {
    judge("3.3", "a notification is owed nothing, not even an error", || {
        for method in ["notifications/roots/list_changed", "notifications/x", "no/such"]
        {
            let line = format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
            let likely = "nobody waits for it; strict clients hang up on such an error";
            Recorder::new().owes("nothing", &line).likely(likely)?;
            Recorder::initialized()?.owes("nothing", &line).likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn t3_3_a_request_without_an_id_is_a_notification() {
    judge("3.3", "without an id nothing is answered, and nothing runs", || {
        for line in [
            r#"{"jsonrpc":"2.0","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#,
        ] {
            Recorder::initialized()?.owes("nothing", line).likely(
                "the id decides, not the method; a call that nobody can be told of \
                 must not happen",
            )?;
        }
        Ok(())
    });
}

#[test]
fn t3_3_initialize_without_an_id_agrees_on_nothing() {
    judge("3.3", "a notification called initialize is none", || {
        let mut talk = Recorder::new();
        talk.owes("nothing", &INITIALIZE.replace(r#""id":"init","#, ""))
            .likely("it was taken for the request")?;
        talk.owes(AGREED, INITIALIZE)
            .likely("the notification before it had changed the state")
    });
}

#[test]
fn t3_3_on_real_pipes_a_notification_gets_no_line() {
    judge("3.3", "between two answers a notification leaves no trace", || {
        on_real_pipes(
            &[
                PING,
                r#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
                r#"{"jsonrpc":"2.0","method":"ping"}"#,
                &request("2", "ping"),
            ],
            &["answer 1: {}", "answer 2: {}"],
        )
    });
}

// Task 3.4: open the gate, and list the tools

#[test]
fn t3_4_no_list_before_the_handshake_is_done() {
    judge("3.4", "tools/list before notifications/initialized gets -32600", || {
        Recorder::new()
            .owes(SHUT, LIST)
            .likely("the gate is shut when the session is new")?;
        Recorder::initialized()?.owes(SHUT, LIST).likely(
            "the answer to `initialize` does not open it: the client must say so",
        )?;
        let cursor = with_params("2", "tools/list", r#"{"cursor":"2"}"#);
        for mut talk in [Recorder::new(), Recorder::initialized()?] {
            talk.owes(SHUT, &cursor)
                .likely("the gate comes first: before it no params are looked at")?;
        }
        Ok(())
    });
}

#[test]
fn t3_4_initialized_opens_the_gate() {
    judge("3.4", "after notifications/initialized the tools are listed", || {
        let mut talk = Recorder::initialized()?;
        talk.owes("nothing", INITIALIZED).likely("a notification is owed nothing")?;
        talk.owes(LISTED, LIST).likely("the notification is to be remembered")?;
        talk.owes("nothing", INITIALIZED).likely("once more is no harm")?;
        talk.owes(LISTED, LIST).likely("once more is no harm")
    });
}

#[test]
fn t3_4_initialized_opens_the_gate_whatever_its_params() {
    judge("3.4", "notifications/initialized may have params", || {
        for params in ["{}", r#"{"_meta":{"a":1}}"#, "null"] {
            let line = format!(
                "{},\"params\":{params}}}",
                &INITIALIZED[..INITIALIZED.len() - 1]
            );
            let mut talk = Recorder::initialized()?;
            talk.owes("nothing", &line).likely("a notification is owed nothing")?;
            talk.owes(LISTED, LIST).likely(
                "it is the method that counts; every message may have `_meta`",
            )?;
        }
        Ok(())
    });
}

#[test]
fn t3_4_initialized_before_initialize_opens_nothing() {
    judge("3.4", "the notification counts only once initialize is answered", || {
        let likely = "the notification came too early and was remembered";
        let mut talk = Recorder::new();
        talk.owes("nothing", INITIALIZED)?;
        talk.owes(SHUT, LIST).likely(likely)?;
        talk.owes(AGREED, INITIALIZE)?;
        talk.owes(SHUT, LIST).likely(likely)
    });
}

#[test]
fn t3_4_a_failed_initialize_opens_nothing() {
    judge("3.4", "an initialize that was refused is no initialize", || {
        let mut talk = Recorder::new();
        talk.owes("answer 1: error -32602", &request("1", "initialize"))?;
        talk.owes("nothing", INITIALIZED)?;
        talk.owes(SHUT, LIST)
            .likely("that `initialize` came is not enough; was it answered well?")
    });
}

#[test]
fn t3_4_initialized_under_another_name_or_with_an_id_opens_nothing() {
    judge("3.4", "only the notification notifications/initialized opens it", || {
        let mut talk = Recorder::initialized()?;
        let with_id = request("7", "notifications/initialized");
        talk.owes("answer 7: error -32601", &with_id)
            .likely("with an id it is a request, and there is none of this name")?;
        talk.owes("nothing", r#"{"jsonrpc":"2.0","method":"initialized"}"#)
            .likely("a notification, known or not, is owed nothing")?;
        talk.owes(SHUT, LIST).likely(
            "a request, or the name that language servers use, was taken for it",
        )
    });
}

#[test]
fn t3_4_the_gate_stays_open() {
    judge("3.4", "a second initialize is refused and does not shut the gate", || {
        let mut talk = Recorder::ready()?;
        talk.owes(r#"answer "init": error -32600"#, INITIALIZE)
            .likely("the second `initialize` was served, as if it were the first")?;
        talk.owes(LISTED, LIST).likely("a refused request changes nothing")
    });
}

#[test]
fn t3_4_ping_passes_on_both_sides_of_the_gate() {
    judge("3.4", "ping and unknown methods do not depend on the gate", || {
        for mut talk in [Recorder::initialized()?, Recorder::ready()?] {
            talk.owes("answer 1: {}", PING)
                .likely("the gate is for tools/list and tools/call only")?;
            talk.owes("answer 5: error -32601", &request("5", "no/such"))
                .likely("a method that does not exist will not exist later either")?;
        }
        Ok(())
    });
}

#[test]
fn t3_4_a_tool_is_listed_with_all_that_it_says() {
    judge("3.4", "each tool has name, description, inputSchema, in our order", || {
        let info = |name| ToolInfo::new(name, "d", json!({"type": "object"}));
        let infos = ["b", "a", "c"].map(info);
        let mut talk = Recorder::with(&infos).begun()?.open()?;
        let result = talk.result(LIST)?;
        let expected = infos.iter().map(ToolInfo::to_json).collect::<Vec<_>>();
        same_json(&Value::from(expected), &result["tools"])
            .given("the tools b, a, c")
            .likely("`ToolInfo::to_json` writes one; sort none, leave none out")?;
        same_json(&Value::Null, &result["nextCursor"])
            .likely("all are on one page; who gets a cursor asks again")
    });
}

#[test]
fn t3_4_a_server_without_tools_lists_none() {
    judge("3.4", "no tools are an empty array", || {
        let mut talk = Recorder::with(&[]).begun()?.open()?;
        let result = talk.result(LIST)?;
        same_json(&json!([]), &result["tools"])
            .given("a session without tools")
            .likely("the list is there, and empty")
    });
}

#[test]
fn t3_4_a_cursor_that_we_never_gave_is_refused() {
    judge("3.4", "an unknown cursor gets -32602; a null one is none", || {
        for cursor in [r#""2""#, r#""""#, "5"] {
            let params = format!(r#"{{"cursor":{cursor}}}"#);
            Recorder::ready()?
                .owes(
                    "answer 2: error -32602",
                    &with_params("2", "tools/list", &params),
                )
                .likely(
                    "who has a cursor wants what comes after it: the first page again \
                     would never end",
                )?;
        }
        let null = with_params("2", "tools/list", r#"{"cursor":null}"#);
        Recorder::ready()?.owes(LISTED, &null).likely("null counts as left out")
    });
}

// Task 3.5: call a tool, and answer with what it says

#[test]
fn t3_5_no_call_before_the_handshake_is_done() {
    judge("3.5", "tools/call before notifications/initialized gets -32600", || {
        for mut talk in [Recorder::new(), Recorder::initialized()?] {
            talk.owes("answer 3: error -32600", CALL)
                .likely("tools/call stands behind the same gate as tools/list")?;
            for params in [
                r#"{"name":"no_such_tool"}"#,
                r#"{"name":5}"#,
                r#"{"name":"echo","arguments":[]}"#,
                "{}",
            ] {
                talk.owes(
                    "answer 3: error -32600",
                    &with_params("3", "tools/call", params),
                )
                .likely("the gate comes first: before it no params are looked at")?;
            }
        }
        Ok(())
    });
}

#[test]
fn t3_5_a_call_names_its_tool_and_carries_its_arguments() {
    judge("3.5", "a call is run: this tool, these arguments, this id", || {
        Recorder::ready()?
            .owes(&running("3"), CALL)
            .likely("hand on what the params say")?;
        let params = r#"{"arguments":{"text":"","b":null,"a":[1.5,null]},"name":"echo","_meta":{}}"#;
        Recorder::ready()?
            .owes(
                r#"run echo {"text":"","b":null,"a":[1.5,null]} as "x""#,
                &with_params(r#""x""#, "tools/call", params),
            )
            .likely("the arguments go on as they came, and nothing else does")
    });
}

#[test]
fn t3_5_arguments_that_are_absent_or_null_are_empty() {
    judge("3.5", "arguments left out, or null, are {}", || {
        for params in [
            r#"{"name":"echo"}"#,
            r#"{"name":"echo","arguments":null}"#,
            r#"{"name":"echo","arguments":{}}"#,
        ] {
            Recorder::ready()?
                .owes("run echo {} as 3", &with_params("3", "tools/call", params))
                .likely(
                    "clients leave them out, or send null, for a tool without any",
                )?;
        }
        Ok(())
    });
}

#[test]
fn t3_5_a_call_of_the_wrong_shape_is_a_protocol_error() {
    judge("3.5", "no string name, or arguments that are no object: -32602", || {
        let likely = "the program that sent this is wrong, and no tool can help it";
        Recorder::ready()?
            .owes("answer 3: error -32602", &request("3", "tools/call"))
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
                .owes("answer 3: error -32602", &with_params("3", "tools/call", params))
                .likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn t3_5_an_unknown_tool_is_a_protocol_error() {
    judge("3.5", "a tool that does not exist gets -32602", || {
        for name in ["no_such_tool", "Echo", "ech", "echo ", ""] {
            let params = format!(r#"{{"name":"{name}","arguments":{{}}}}"#);
            Recorder::ready()?
                .owes(
                    "answer 3: error -32602",
                    &with_params("3", "tools/call", &params),
                )
                .likely(
                    "where there is no tool, none has failed: it is no result with \
                     `isError`; and -32601 is for methods",
                )?;
        }
        Ok(())
    });
}

#[test]
fn t3_5_arguments_that_the_tool_will_not_like_go_to_the_tool() {
    judge("3.5", "whether arguments are good is for the tool to say", || {
        for arguments in ["{}", r#"{"text":5}"#, r#"{"txet":"hi"}"#] {
            let params = format!(r#"{{"name":"echo","arguments":{arguments}}}"#);
            Recorder::ready()?
                .owes(
                    &format!("run echo {arguments} as 3"),
                    &with_params("3", "tools/call", &params),
                )
                .likely(
                    "a protocol error ends the call before the model can read what \
                     was wrong; the tool's own words let it try again",
                )?;
        }
        Ok(())
    });
}

#[test]
fn t3_5_an_outcome_is_answered_once_under_the_id_of_its_call() {
    judge("3.5", "each outcome answers its own call, once", || {
        let mut talk = Recorder::calling("3")?;
        talk.owes(&running(r#""3""#), &call(r#""3""#))
            .likely("\"3\" and 3 are different ids")?;
        talk.owes(&running("4"), &call("4"))?;
        let order = "calls end in any order: answer the one that `finish` is told";
        talk.ends(&said("4", "four"), integer(4), ToolResult::text("four"))
            .likely(order)?;
        talk.ends(&said(r#""3""#, "b"), Id::String("3".into()), ToolResult::text("b"))
            .likely(order)?;
        talk.ends(&said("3", "a"), integer(3), ToolResult::text("a")).likely(order)?;
        talk.ends("nothing", integer(3), ToolResult::text("a"))
            .likely("the call was answered already, and does not run any more")?;
        talk.ends("nothing", integer(404), ToolResult::text("a"))
            .likely("no call runs under this id")
    });
}

fn said(id: &str, text: &str) -> String {
    format!(r#"answer {id}: {{"content":[{{"type":"text","text":"{text}"}}]}}"#)
}

#[test]
fn t3_5_a_failed_tool_is_data() {
    judge("3.5", "a tool that fails is a result with isError, not an error", || {
        let failed =
            r#"{"content":[{"type":"text","text":"no such file"}],"isError":true}"#;
        Recorder::calling("3")?
            .ends(
                &format!("answer 3: {failed}"),
                integer(3),
                ToolResult::failure("no such file"),
            )
            .likely("the model must read why, and errors are for the program")?;
        let structured = Some(json!({"n": 1}));
        let outcome = ToolResult { structured, ..ToolResult::text("1") };
        Recorder::calling("3")?
            .ends(
                r#"answer 3: {"content":[{"type":"text","text":"1"}],"structuredContent":{"n":1}}"#,
                integer(3),
                outcome,
            )
            .likely("`ToolResult::to_result` writes all that a tool says")
    });
}

#[test]
fn t3_5_an_outcome_is_answered_whole() {
    judge("3.5", "what a tool says is handed on: no part less, none more", || {
        let image = json!({"type": "image", "mimeType": "image/png", "data": "AAAA"});
        let text = json!({"type": "text", "text": "b"});
        let odd = json!({"type": "x-new", "n": 1});
        let outcome = ToolResult {
            content: vec![image, text, odd],
            structured: Some(json!({"code": 5})),
            is_error: true,
        };
        let whole = r#"answer 3: {"content":[{"type":"image","mimeType":"image/png","data":"AAAA"},{"type":"text","text":"b"},{"type":"x-new","n":1}],"structuredContent":{"code":5},"isError":true}"#;
        Recorder::calling("3")?
            .ends(whole, integer(3), outcome)
            .likely("all blocks, and what is structured, of a failure too")?;
        Recorder::calling("3")?
            .ends(r#"answer 3: {"content":[]}"#, integer(3), ToolResult::default())
            .likely("a tool that says nothing is answered with no block")
    });
}

#[test]
fn t3_5_a_stray_response_ends_no_call() {
    judge("3.5", "a response is owed nothing, and the call of its id goes on", || {
        let likely = "ids of the two directions are apart: we have asked nothing";
        for line in [
            r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#,
        ] {
            let mut talk = Recorder::calling("3")?;
            talk.owes("nothing", line).likely(likely)?;
            talk.owes("answer 3: error -32600", &call("3")).likely(likely)?;
            talk.ends(&said("3", "hi"), integer(3), ToolResult::text("hi"))
                .likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn t3_5_a_refused_call_leaves_its_id_free() {
    judge("3.5", "only a call that runs takes its id", || {
        let mut talk = Recorder::ready()?;
        let unknown = with_params("3", "tools/call", r#"{"name":"no_such_tool"}"#);
        talk.owes("answer 3: error -32602", &unknown)
            .likely("an unknown tool is refused: see the test about that")?;
        talk.owes(&running("3"), CALL)
            .likely("the id was noted before the call was checked")?;
        talk.ends(&said("3", "hi"), integer(3), ToolResult::text("hi"))?;
        talk.owes(&running("3"), CALL)
            .likely("a call that has ended gives its id back; real clients reuse it")
    });
}

#[test]
fn t3_5_an_id_in_use_is_refused_and_the_running_call_goes_on() {
    judge("3.5", "while a call runs, no other request may have its id", || {
        let likely = "`request`, of 3.1, looks whether a call has the id, before the \
                      method; two answers under one id cannot be told apart";
        for second in [
            call("7"),
            request("7", "ping"),
            request("7", "tools/list"),
            request("7", "no/such"),
            request("7", "initialize"),
            with_params("7", "tools/call", r#"{"name":"no_such_tool"}"#),
        ] {
            let mut talk = Recorder::calling("7")?;
            talk.owes("answer 7: error -32600", &second).likely(likely)?;
            talk.owes(r#"answer "7": {}"#, &request(r#""7""#, "ping"))
                .likely("\"7\" is another id than 7")?;
            talk.ends(&said("7", "hi"), integer(7), ToolResult::text("hi"))
                .likely("the refused request took the running call's place")?;
        }
        Ok(())
    });
}

#[test]
fn t3_5_on_real_pipes_every_answer_finds_its_request() {
    judge("3.5", "a whole conversation: each request is answered once", || {
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
                "answer 2: tools echo, wait, ring",
                &said("5", "waited"),
                &said("3", "hi"),
                r#"answer "3": {"content":[{"type":"text","text":"argument `text` is missing"}],"isError":true}"#,
                "answer 1: {}",
                "answer 6: error -32602",
                &said("7", "rung"),
            ],
        )
    });
}

// Task 3.6: cancel a running call

#[test]
fn t3_6_a_cancelled_call_is_stopped_and_gets_no_answer() {
    judge("3.6", "a cancelled call is stopped, and owed nothing any more", || {
        for (text, id) in
            [("3", integer(3)), ("0", integer(0)), (r#""3""#, Id::String("3".into()))]
        {
            let mut talk = Recorder::calling(text)?;
            talk.owes(&format!("stop {text}"), &cancel(text))
                .likely("`requestId` names the call: a string or an integer, 0 too")?;
            talk.ends("nothing", id, ToolResult::text("late")).likely(
                "it may end just before it is stopped; who cancelled does not wait",
            )?;
        }
        Ok(())
    });
}

#[test]
fn t3_6_a_cancellation_needs_no_reason() {
    judge("3.6", "a cancellation with the id alone cancels as well", || {
        for others in ["", r#","reason":null"#, r#","reason":"","_meta":{}"#] {
            let params = format!(r#"{{"requestId":3{others}}}"#);
            let line = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
            );
            Recorder::calling("3")?
                .owes("stop 3", &line)
                .likely("`reason` is optional, and for people")?;
        }
        Ok(())
    });
}

#[test]
fn t3_6_only_the_call_that_is_named_is_cancelled() {
    judge("3.6", "the other calls go on; 1 and \"1\" are different calls", || {
        let likely = "not that call was cancelled: compare the `Id`s themselves";
        let mut talk = Recorder::calling("1")?;
        talk.owes(&running("2"), &call("2"))?;
        talk.owes("nothing", &cancel(r#""1""#)).likely(likely)?;
        talk.owes("stop 2", &cancel("2")).likely(likely)?;
        talk.ends(&said("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely(likely)?;
        let mut talk = Recorder::calling(r#""1""#)?;
        talk.owes("nothing", &cancel("1")).likely(likely)?;
        talk.ends(&said(r#""1""#, "hi"), Id::String("1".into()), ToolResult::text("hi"))
            .likely(likely)
    });
}

#[test]
fn t3_6_a_long_integer_names_a_call() {
    judge("3.6", "an integer id may be of any 64 bits, signed or not", || {
        for id in ["18446744073709551615", "9007199254740993", "-9223372036854775808"] {
            Recorder::calling(id)?.owes(&format!("stop {id}"), &cancel(id)).likely(
                "`as_i64` ends at 63 bits and a float at 53; read the digits",
            )?;
        }
        Ok(())
    });
}

#[test]
fn t3_6_a_late_cancellation_is_nothing() {
    judge("3.6", "what does not run cannot be cancelled, and that is no error", || {
        let likely = "it was on its way when the call ended; that happens every day";
        let mut talk = Recorder::calling("3")?;
        talk.owes("nothing", &cancel("404")).likely(likely)?;
        talk.ends(&said("3", "hi"), integer(3), ToolResult::text("hi"))?;
        talk.owes("nothing", &cancel("3")).likely(likely)?;
        let mut talk = Recorder::calling("3")?;
        talk.owes("stop 3", &cancel("3"))
            .likely("a call that runs can be cancelled: see the first test of 3.6")?;
        talk.owes("nothing", &cancel("3")).likely("it was stopped already")
    });
}

#[test]
fn t3_6_a_cancellation_without_a_usable_id_is_nothing() {
    judge("3.6", "a cancellation that names no call does nothing, silently", || {
        let mut talk = Recorder::calling("1")?;
        for line in [
            cancel("null"),
            cancel("1.0"),
            cancel("true"),
            cancel("[1]"),
            cancel(r#"{"id":1}"#),
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#
                .into(),
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.into(),
        ] {
            talk.owes("nothing", &line).likely(
                "it names no call; and a notification is never answered, nor a panic",
            )?;
        }
        talk.ends(&said("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely("something that is no id was taken for 1")
    });
}

#[test]
fn t3_6_a_cancellation_with_an_id_cancels_nothing() {
    judge("3.6", "a request called notifications/cancelled is unknown", || {
        let mut talk = Recorder::calling("1")?;
        let line = with_params("2", "notifications/cancelled", r#"{"requestId":1}"#);
        talk.owes("answer 2: error -32601", &line)
            .likely("with an id it is a request, and there is none of this name")?;
        talk.ends(&said("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely("the request cancelled the call all the same")
    });
}

#[test]
fn t3_6_a_cancelled_id_is_free() {
    judge("3.6", "after its call is cancelled, an id may be used again", || {
        let mut talk = Recorder::calling("3")?;
        talk.owes("stop 3", &cancel("3"))
            .likely("a call that runs can be cancelled: see the first test of 3.6")?;
        talk.owes(&running("3"), &call("3"))
            .likely("the cancelled call is still among those that run")?;
        talk.ends(&said("3", "new"), integer(3), ToolResult::text("new"))
            .likely("the second call is owed its answer, whatever became of the first")
    });
}

#[test]
fn t3_6_on_real_pipes_a_cancelled_call_gets_no_line() {
    judge("3.6", "a cancelled call leaves nothing on stdout; the rest goes on", || {
        on_real_pipes(
            &[
                INITIALIZE,
                INITIALIZED,
                &with_params("5", "tools/call", r#"{"name":"wait","arguments":{}}"#),
                &cancel("5"),
                &with_params("7", "tools/call", r#"{"name":"ring","arguments":{}}"#),
                PING,
            ],
            &[AGREED, &said("7", "rung"), "answer 1: {}"],
        )
    });
}
