//! Stage 4 while it is interrupted: the child has a separate process group, so the
//! stage must end it.

use crate::common::{
    limit::run,
    processes::{reaped, runs},
};
use assert_cmd::cargo::cargo_bin;
use rustix::process::{Pid, Signal, kill_process};
use std::process::{ExitStatus, Stdio};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines},
    process::{Child, ChildStderr, ChildStdout, Command},
};

const HANDSHAKE: &str = r#"read -r line
    echo '{"jsonrpc":"2.0","id":1,"result":{
        "protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}' | tr -d '\n'
    echo
    read -r line; read -r line
    echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}'
"#;

/// The stage with a server that hangs in a call, and that server's process id.
async fn hanging(end: &str) -> (Stage, String) {
    let script = format!("echo $$ >&2; {HANDSHAKE} {end}");
    let mut child = Command::new(cargo_bin!("04-client-lifecycle"))
        .args(["--call", "t", "--", "sh", "-c", &script])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the stage starts");
    let stdout = BufReader::new(child.stdout.take().expect("piped")).lines();
    let stderr = BufReader::new(child.stderr.take().expect("piped")).lines();
    let mut stage = Stage { child, stdout, stderr };
    while !stage.line().await.contains(r#""method":"tools/call""#) {}
    let note = stage.stderr.next_line().await.expect("UTF-8").expect("a note");
    let server = note.strip_prefix("! stderr: ").expect("the server's id").to_owned();
    assert!(runs(&server));
    (stage, server)
}

struct Stage {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    stderr: Lines<BufReader<ChildStderr>>,
}

impl Stage {
    async fn line(&mut self) -> String {
        self.stdout.next_line().await.expect("UTF-8").expect("the stage continues")
    }

    fn signal(&self, signal: Signal) {
        let id = self.child.id().expect("it runs");
        let pid = Pid::from_raw(id.try_into().expect("a small number"));
        kill_process(pid.expect("not 0"), signal).expect("it is ours");
    }
}

/// The stage's exit status, and what it still wrote to stderr.
async fn end_of(
    mut child: Child,
    stderr: Lines<BufReader<ChildStderr>>,
) -> (ExitStatus, String) {
    let mut log = String::new();
    stderr.into_inner().read_to_string(&mut log).await.expect("UTF-8");
    (child.wait().await.expect("its status"), log)
}

#[test]
fn an_interrupt_during_a_call_ends_the_server_and_then_the_stage() {
    // A terminal that is closed sends HUP.
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
        run(async move {
            let (stage, server) = hanging("cat >/dev/null; echo bye >&2").await;
            stage.signal(signal);
            let (status, log) = end_of(stage.child, stage.stderr).await;
            assert_eq!(Some(130), status.code());
            assert_eq!("! stderr: bye\nerror: interrupted\n", log, "no SIGKILL");
            reaped(&server).await;
        });
    }
}

#[test]
fn an_interrupt_ends_a_server_that_ignores_sigterm() {
    run(async {
        let (stage, server) = hanging("trap '' TERM; sleep 60 & wait").await;
        stage.signal(Signal::INT);
        stage.signal(Signal::INT); // a second one does not stop the shutdown
        let (status, log) = end_of(stage.child, stage.stderr).await;
        assert_eq!(Some(130), status.code());
        assert_eq!("error: interrupted\n", log);
        reaped(&server).await;
    });
}

#[test]
fn a_stage_whose_stdout_is_closed_still_ends_its_server() {
    run(async {
        let folder = tempfile::tempdir().expect("a folder");
        let left = folder.path().join("the-reader-has-left");
        let end = format!(
            r#"read -r line; while ! [ -e '{}' ]; do sleep 0.01; done
               echo '{{"jsonrpc":"2.0","id":3,"result":{{}}}}'; cat >/dev/null"#,
            left.display()
        );
        let (stage, server) = hanging(&end).await;
        let Stage { child, stdout, stderr } = stage;
        drop(stdout);
        std::fs::write(left, "").expect("the server sees it");
        let (status, log) = end_of(child, stderr).await;
        assert_eq!((Some(0), ""), (status.code(), &*log));
        reaped(&server).await;
    });
}

/// This server interrupts the stage as soon as it starts. By then the stage must handle
/// signals.
#[test]
fn an_interrupt_during_the_start_leaves_no_server() {
    run(async {
        let script = "kill -TERM $PPID; trap '' TERM; echo $$ >&2; cat >/dev/null";
        let output = Command::new(cargo_bin!("04-client-lifecycle"))
            .args(["--", "sh", "-c", script])
            .stdin(Stdio::null())
            .output()
            .await
            .expect("the stage ends");
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (Some(130), true),
            (output.status.code(), log.ends_with("error: interrupted\n"))
        );
        let server = log.lines().find_map(|line| line.strip_prefix("! stderr: "));
        if let Some(server) = server {
            reaped(server).await; // it may have ended before it wrote its id
        }
    });
}
