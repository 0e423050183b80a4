//! (9) A child process that keeps running: the host kills only the wrapper, not the
//! server that the wrapper started.

use crate::lab::Lab;
use mcp_from_scratch::{
    cli::{echo::serve_echo, output::Out},
    frame::FramingMode,
    transport::Tap,
};
use std::time::Duration;

#[cfg(unix)]
pub use unix::reproduce;

/// A server that keeps running after the end of its input, but at most half a minute:
/// a lab that was itself killed cannot end it.
pub async fn lingering_server(tap: Tap) -> anyhow::Result<()> {
    Out::stderr().line(std::process::id());
    serve_echo(FramingMode::Auto, tap).await?;
    tokio::time::sleep(Duration::from_secs(30)).await;
    Ok(())
}

#[cfg(not(unix))]
pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("没有结束的子进程", "orphan-child: a child process that keeps running");
    lab.print("this failure needs a Unix system, because it uses process groups");
    Ok(())
}

#[cfg(unix)]
mod unix {
    use super::Lab;
    use crate::lab::{VERSION, initialize};
    use anyhow::Context;
    use mcp_from_scratch::{
        client::{Client, ClientConfig},
        frame::Framing,
        process::ServerCommand,
        transport::{Tap, Tapped, Transport},
    };
    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};
    use std::{fs, process::Stdio, sync::Arc, time::Duration};
    use tokio::{
        io::{AsyncBufReadExt, BufReader},
        process::{Child, ChildStderr, Command},
        sync::mpsc,
    };

    /// How long the client waits after each step of the shutdown.
    const SHUTDOWN_WAIT: Duration = Duration::from_secs(1);

    pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
        lab.heading(
            "没有结束的子进程",
            "orphan-child: a child process that keeps running",
        );
        lab.wrong(
            "a host that kills only the process that it started: the wrapper `sh -c`",
        );
        kill_the_wrapper(lab).await?;
        lab.cause(
            "信号只发给指定的那个进程，包装脚本启动的服务器收不到信号",
            "A signal goes to one process only, and the server that the wrapper has \
             started gets none",
        );
        lab.right(
            "after the end of input, each signal goes to the whole process group",
        );
        shut_down_the_group(lab).await
    }

    /// As `npx` and `uv run` do: a shell that starts the server and waits for it.
    fn wrapper() -> anyhow::Result<ServerCommand> {
        // Not `this_program`: in the shell, /proc/self is the shell.
        let program = std::env::current_exe().context("cannot find this executable")?;
        let program = program
            .into_os_string()
            .into_string()
            .ok()
            .context("the path is not UTF-8")?;
        let script = r#""$0" --serve lingering; exit $?"#;
        let args = vec!["-c".into(), script.into(), program];
        Ok(ServerCommand { program: "sh".into(), args, ..ServerCommand::default() })
    }

    async fn kill_the_wrapper(lab: &Lab) -> anyhow::Result<()> {
        let ServerCommand { program, args, .. } = wrapper()?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let guard = GroupGuard(pid(&child.id().context("just started")?.to_string())?);
        let stderr = child.stderr.take().context("no stderr")?;
        let server = first_line(stderr).await?;
        send_initialize(lab, &mut child).await?;
        kill_child(&mut child).await?;
        lab.print("the wrapper was killed and reaped");
        print_whether_it_runs(lab, server);
        drop(guard);
        lab.print("the lab kills it");
        Ok(())
    }

    // ANCHOR: kill-child
    /// The mistake: one signal, to one process only.
    async fn kill_child(child: &mut Child) -> anyhow::Result<()> {
        Ok(child.kill().await?)
    }
    // ANCHOR_END: kill-child

    /// Sends one request and waits for the response: the server works.
    async fn send_initialize(lab: &Lab, child: &mut Child) -> anyhow::Result<()> {
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        let mut server = Transport::over(stdout, stdin, Framing::Newline, lab.tap());
        server.sender.send_and_flush(initialize(VERSION).encode()).await?;
        server.receiver.receive().await.context("the server ended early")??;
        Ok(())
    }

    async fn shut_down_the_group(lab: &Lab) -> anyhow::Result<()> {
        let (note_sender, mut notes) = mpsc::unbounded_channel();
        let config =
            ClientConfig { shutdown_wait: SHUTDOWN_WAIT, ..ClientConfig::default() };
        let tap = frames_and_notes(lab.frames_only(), note_sender);
        let client = Client::spawn(&wrapper()?, Framing::Newline, config, tap)?;
        client.initialize(VERSION).await?;
        let note = notes.recv().await.context("no process id from the server")?;
        let server = pid(note.trim_start_matches("stderr: "))?;
        let exit = client.close().await.context("the process was already closed")?;
        let status = exit.status.context("no exit status")?;
        lab.print(format_args!("the wrapper ended with {status}"));
        print_whether_it_runs(lab, server);
        Ok(())
    }

    fn print_whether_it_runs(lab: &Lab, server: Pid) {
        let runs = if runs(server) { "STILL RUNS" } else { "has ended" };
        lab.print(format_args!("the server behind it {runs}"));
    }

    /// A killed process accepts signals as a zombie until its parent reaps it. So on
    /// Linux the state of the process decides.
    fn runs(pid: Pid) -> bool {
        match fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) => {
                let state = stat.rsplit_once(") ").map(|(_, rest)| rest);
                !state.is_some_and(|state| state.starts_with(['Z', 'X']))
            }
            Err(_) => !cfg!(target_os = "linux") && test_kill_process(pid).is_ok(),
        }
    }

    /// Kills the wrapper's process group when it is dropped. The faulty host does not,
    /// but the lab must leave no process, even if it is interrupted.
    struct GroupGuard(Pid);

    impl Drop for GroupGuard {
        fn drop(&mut self) {
            let _ = kill_process_group(self.0, Signal::KILL); // the group may be empty
        }
    }

    async fn first_line(stderr: ChildStderr) -> anyhow::Result<Pid> {
        let mut line = String::new();
        BufReader::new(stderr).read_line(&mut line).await?;
        pid(line.trim_end())
    }

    fn pid(text: &str) -> anyhow::Result<Pid> {
        Pid::from_raw(text.parse()?).context("zero is not a process id")
    }

    fn frames_and_notes(frames: Tap, notes: mpsc::UnboundedSender<String>) -> Tap {
        Arc::new(move |event| match event {
            Tapped::Note(note) => {
                let _ = notes.send(note.to_string()); // only the first note is read
            }
            frame => frames(frame),
        })
    }
}
