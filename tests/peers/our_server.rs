//! The course's echo server under the clients of the four SDKs.
//!
//! Each client runs once, with `03-echo-server --trace` inside a shell script that keeps
//! the trace and the exit status. The tests of one client read the record of that run.

use crate::{
    installed::{Packages, command, trial},
    marks::{assert_nothing_runs, mark, processes},
    run::{Ended, run},
};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use std::{fs, path::Path, sync::OnceLock, thread::sleep, time::Duration};

struct ForeignClient {
    name: &'static str,
    packages: Packages,
    command: &'static [&'static str],
    /// The revision that it offers.
    offers: &'static str,
    /// The id of its first request.
    first_id: i64,
    run: OnceLock<Session>,
}

/// The record of one run, on both sides.
struct Session {
    client: Ended,
    /// The frames that our server received, and those that it sent.
    received: Vec<Value>,
    sent: Vec<Value>,
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
        // That revision has no `initialize`; our server must name one that has it.
        offers: "2026-07-28",
        first_id: 0,
        run: OnceLock::new(),
    },
];

pub fn trials() -> Vec<Trial> {
    CLIENTS.iter().flat_map(of_one).collect()
}

fn of_one(client: &'static ForeignClient) -> Vec<Trial> {
    macro_rules! trials {
        ($($name:ident)*) => { vec![$({
            let name = format!("our_server::{}::{}", client.name, stringify!($name));
            trial(name, client.packages, || $name(client))
        }),*] };
    }
    trials! {
        the_handshake_agrees_on_our_newest_revision
        the_tool_is_listed
        text_is_returned_unchanged
        a_failed_tool_is_data
        an_unknown_tool_is_invalid_params
        our_server_responds_to_ping
        each_of_twenty_calls_at_once_gets_its_own_result
        our_server_exits_at_the_end_of_input_and_no_process_is_left
    }
}

impl ForeignClient {
    fn session(&self) -> &Session {
        self.run.get_or_init(|| Session::run(self.command))
    }

    /// The value of one line that the client printed.
    #[track_caller]
    fn step(&self, step: &str) -> &Value {
        let client = &self.session().client;
        let found = client.lines.iter().find(|line| line["step"] == step);
        &found.unwrap_or_else(|| panic!("no {step}: {client:?}"))["value"]
    }
}

/// `$1` is a separate folder for this run, whose name is its mark.
const SCRIPT: &str = r#""$1/03-echo-server" --trace 2>"$1/trace"
printf '%s' $? >"$1/status.new"
mv "$1/status.new" "$1/status"
"#;

impl Session {
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
            // Its test fails; the processes that it left must not run forever.
            processes(&mark).into_iter().for_each(kill);
        }
        let trace = fs::read_to_string(folder.join("trace")).unwrap_or_default();
        let frames = |label: &str| -> Vec<Value> {
            let lines = trace.lines().map(str::trim_start);
            let bodies = lines.filter_map(|line| line.strip_prefix(label));
            bodies.map(|body| serde_json::from_str(body).expect("JSON")).collect()
        };
        let (received, sent) = (frames("[mcp:receive] "), frames("[mcp:send] "));
        Self { client, received, sent, status, mark }
    }
}

fn kill(process: i32) {
    let process = rustix::process::Pid::from_raw(process).expect("not 0");
    let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The client may exit shortly before the script has written it.
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
    let received = &client.session().received;
    let [initialize, initialized, ..] = &received[..] else { panic!("{received:?}") };
    assert_eq!("initialize", initialize["method"]);
    assert_eq!(client.offers, initialize["params"]["protocolVersion"]);
    assert_eq!(client.first_id, initialize["id"]);
    assert_eq!("notifications/initialized", initialized["method"]);
    // rmcp would accept any revision, even one that has no `initialize`.
    let result = &client.session().sent[0]["result"];
    assert_eq!("2025-11-25", result["protocolVersion"]);
}

fn the_tool_is_listed(client: &ForeignClient) {
    assert_eq!(&json!(["echo"]), client.step("list"));
}

fn text_is_returned_unchanged(client: &ForeignClient) {
    let expected = json!({ "text": "你好", "isError": false });
    assert_eq!(&expected, client.step("call"));
}

fn a_failed_tool_is_data(client: &ForeignClient) {
    let text = "argument `text`: invalid type: integer `5`, expected a string";
    let expected = json!({ "text": text, "isError": true });
    assert_eq!(&expected, client.step("failing"));
}

fn an_unknown_tool_is_invalid_params(client: &ForeignClient) {
    assert_eq!(&json!({ "code": -32602 }), client.step("unknown"));
}

fn our_server_responds_to_ping(client: &ForeignClient) {
    assert_eq!(&json!(true), client.step("ping"));
    assert!(client.session().received.iter().any(|it| it["method"] == "ping"));
}

fn each_of_twenty_calls_at_once_gets_its_own_result(client: &ForeignClient) {
    let texts: Vec<_> = (0..20).map(|number| number.to_string()).collect();
    assert_eq!(&json!(texts), client.step("together"));
}

fn our_server_exits_at_the_end_of_input_and_no_process_is_left(client: &ForeignClient) {
    let session = client.session();
    assert_eq!(&json!(true), client.step("closed"));
    assert_eq!(Some(0), session.client.code, "{:?}", session.client);
    // After a signal there would be no status, or another one.
    assert_eq!(Some("0"), session.status.as_deref());
    assert_nothing_runs(&session.mark);
}
