//! The course's echo server under the clients of the four SDKs.
//!
//! Each client runs once, against `03-echo-server --trace` inside a shell script that
//! keeps the trace and the exit status. The tests of one client look at that run.

use crate::{
    harness::Test,
    installed::{Packages, command},
    marks::{assert_nothing_runs, mark, processes},
    run::{Ended, run},
};
use serde_json::{Value, json};
use std::{fs, path::Path, sync::OnceLock, thread::sleep, time::Duration};

pub struct ForeignClient {
    name: &'static str,
    packages: Packages,
    command: &'static [&'static str],
    /// The revision that it offers.
    offers: &'static str,
    /// The id of its first request.
    first_id: i64,
    run: OnceLock<Seen>,
}

/// What one run showed, on both sides.
struct Seen {
    client: Ended,
    /// The frames that our server received, and those that it sent.
    requests: Vec<Value>,
    answers: Vec<Value>,
    /// Our server's exit status.
    status: Option<String>,
    mark: String,
}

static CLIENTS: [ForeignClient; 4] = [
    ForeignClient {
        name: "typescript_1",
        packages: Packages::Npm,
        command: &["node_modules/.bin/node", "ts1/client.mjs"],
        offers: "2025-11-25",
        first_id: 0,
        run: OnceLock::new(),
    },
    ForeignClient {
        name: "typescript_2",
        packages: Packages::Npm,
        command: &["node_modules/.bin/node", "ts2/client.mjs"],
        offers: "2025-11-25",
        first_id: 0,
        run: OnceLock::new(),
    },
    ForeignClient {
        name: "python",
        packages: Packages::Python,
        command: &["venv/bin/python", "py/client.py"],
        offers: "2025-11-25",
        first_id: 1,
        run: OnceLock::new(),
    },
    ForeignClient {
        name: "rmcp",
        packages: Packages::Rust,
        command: &["target/debug/rmcp-client"],
        // That revision has no `initialize`; ours must answer with one that has.
        offers: "2026-07-28",
        first_id: 0,
        run: OnceLock::new(),
    },
];

pub fn tests() -> Vec<Test> {
    CLIENTS.iter().flat_map(of_one).collect()
}

fn of_one(client: &'static ForeignClient) -> Vec<Test> {
    macro_rules! tests {
        ($($name:ident)*) => { vec![$({
            let name = format!("our_server::{}::{}", client.name, stringify!($name));
            Test::new(name, client.packages, || $name(client))
        }),*] };
    }
    tests! {
        the_handshake_agrees_on_our_newest_revision
        the_tool_is_listed
        text_comes_back_as_it_was
        a_failing_tool_is_data
        an_unknown_tool_is_invalid_params
        a_ping_is_answered
        twenty_calls_at_once_get_each_its_own_answer
        our_server_ends_with_its_input_and_nothing_is_left
    }
}

impl ForeignClient {
    fn seen(&self) -> &Seen {
        self.run.get_or_init(|| Seen::run(self.command))
    }

    /// The value of one line that the client printed.
    #[track_caller]
    fn step(&self, step: &str) -> &Value {
        let client = &self.seen().client;
        let found = client.lines.iter().find(|line| line["step"] == step);
        &found.unwrap_or_else(|| panic!("no {step}: {client:?}"))["value"]
    }
}

/// `$1` is a folder of this run's own, whose name is its mark.
const SCRIPT: &str = r#""$1/03-echo-server" --trace 2>"$1/trace"
printf '%s' $? >"$1/status.new"
mv "$1/status.new" "$1/status"
"#;

impl Seen {
    fn run(client: &[&str]) -> Self {
        let mark = mark();
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join(&mark);
        fs::create_dir(&folder).expect("a folder");
        let script = folder.join("server.sh");
        fs::write(&script, SCRIPT).expect("written");
        let server = env!("CARGO_BIN_EXE_03-echo-server");
        let link = folder.join("03-echo-server");
        std::os::unix::fs::symlink(server, link).expect("a link");
        let mut words = command(client);
        words.extend(["sh".to_owned(), shown(&script), shown(&folder)]);
        let client = run(&words);
        let status = status(&folder);
        if status.is_none() {
            // Its test fails; what it did not end must not stay for ever.
            processes(&mark).into_iter().for_each(kill);
        }
        let trace = fs::read_to_string(folder.join("trace")).unwrap_or_default();
        let frames = |label: &str| -> Vec<Value> {
            let lines = trace.lines().map(str::trim_start);
            let bodies = lines.filter_map(|line| line.strip_prefix(label));
            bodies.map(|body| serde_json::from_str(body).expect("JSON")).collect()
        };
        let (requests, answers) = (frames("[mcp:receive] "), frames("[mcp:send] "));
        Self { client, requests, answers, status, mark }
    }
}

fn kill(process: i32) {
    let process = rustix::process::Pid::from_raw(process).expect("not 0");
    let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The client may be gone a moment before the script has written it.
fn status(folder: &Path) -> Option<String> {
    for _ in 0..500 {
        if let Ok(status) = fs::read_to_string(folder.join("status")) {
            return Some(status);
        }
        sleep(Duration::from_millis(10));
    }
    None
}

fn the_handshake_agrees_on_our_newest_revision(client: &ForeignClient) {
    let expected = json!({ "name": "mcp-echo-server", "version": "1.0.0" });
    assert_eq!(&expected, client.step("handshake"));
    let requests = &client.seen().requests;
    let [initialize, initialized, ..] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!("initialize", initialize["method"]);
    assert_eq!(client.offers, initialize["params"]["protocolVersion"]);
    assert_eq!(client.first_id, initialize["id"]);
    assert_eq!("notifications/initialized", initialized["method"]);
    // rmcp would stay with any revision, even one that has no `initialize`.
    let answer = &client.seen().answers[0]["result"];
    assert_eq!("2025-11-25", answer["protocolVersion"]);
}

fn the_tool_is_listed(client: &ForeignClient) {
    assert_eq!(&json!(["echo"]), client.step("list"));
}

fn text_comes_back_as_it_was(client: &ForeignClient) {
    let expected = json!({ "text": "你好", "isError": false });
    assert_eq!(&expected, client.step("call"));
}

fn a_failing_tool_is_data(client: &ForeignClient) {
    let text = "argument `text`: invalid type: integer `5`, expected a string";
    let expected = json!({ "text": text, "isError": true });
    assert_eq!(&expected, client.step("failing"));
}

fn an_unknown_tool_is_invalid_params(client: &ForeignClient) {
    assert_eq!(&json!({ "code": -32602 }), client.step("unknown"));
}

fn a_ping_is_answered(client: &ForeignClient) {
    assert_eq!(&json!(true), client.step("ping"));
    assert!(client.seen().requests.iter().any(|it| it["method"] == "ping"));
}

fn twenty_calls_at_once_get_each_its_own_answer(client: &ForeignClient) {
    let texts: Vec<_> = (0..20).map(|number| number.to_string()).collect();
    assert_eq!(&json!(texts), client.step("together"));
}

fn our_server_ends_with_its_input_and_nothing_is_left(client: &ForeignClient) {
    let seen = client.seen();
    assert_eq!(&json!(true), client.step("closed"));
    assert_eq!(Some(0), seen.client.code, "{:?}", seen.client);
    // A client that had to send a signal would leave no status, or another one.
    assert_eq!(Some("0"), seen.status.as_deref());
    assert_nothing_runs(&seen.mark);
}
