//! (9) A child left running: only the wrapper is killed, and the server behind it
//! lives on.

use crate::lab::Lab;
use mcp_from_scratch::{
    cli::{echo::serve_echo, output::Out},
    frame::FramingMode,
    transport::Tap,
};
use std::time::Duration;

#[cfg(unix)]
pub use unix::happen;

/// A server that has things to do after the end of its input. Half a minute bounds it,
/// for a lab that was itself killed cannot end it.
pub async fn lingering_server(tap: Tap) -> anyhow::Result<()> {
    Out::stderr().line(std::process::id());
    serve_echo(FramingMode::Auto, tap).await?;
    tokio::time::sleep(Duration::from_secs(30)).await;
    Ok(())
}

#[cfg(not(unix))]
pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("留下的子进程", "orphan-child: a child left running");
    lab.say("this one needs a Unix system: it is about process groups");
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

    /// How long each step of the ladder waits here.
    const SHUTDOWN_WAIT: Duration = Duration::from_secs(1);

    pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
        lab.heading("留下的子进程", "orphan-child: a child left running");
        lab.wrong("a host that kills the process it started: the wrapper `sh -c`");
        kill_the_wrapper(lab).await?;
        lab.cause(
            "信号只到它所指的那个进程，包装脚本启动的 server 从没听说",
            "A signal reaches the one process that it names, and the server that the \
             wrapper started never hears of it",
        );
        lab.right(
            "each step of the ladder after the end of input goes to the whole group",
        );
        climb_the_ladder(lab).await
    }

    /// As `npx` and `uv run` do: a shell that starts the server and waits for it.
    fn wrapper() -> anyhow::Result<ServerCommand> {
        // Not `this_program`: in the shell, /proc/self is the shell.
        let program = std::env::current_exe().context("cannot find this file")?;
        let program = program.into_os_string().into_string().ok().context("no text")?;
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
        let leftovers =
            Leftovers(pid(&child.id().context("just started")?.to_string())?);
        let stderr = child.stderr.take().context("no stderr")?;
        let server = first_line(stderr).await?;
        talk(lab, &mut child).await?;
        kill_child(&mut child).await?;
        lab.say("the wrapper is killed and reaped");
        say_whether_it_runs(lab, server);
        drop(leftovers);
        lab.say("the lab ends it");
        Ok(())
    }

    // ANCHOR: kill-child
    /// The mistake: one signal to one process, and the pipes are dropped.
    async fn kill_child(child: &mut Child) -> anyhow::Result<()> {
        Ok(child.kill().await?)
    }
    // ANCHOR_END: kill-child

    /// One request and its answer, so that one sees a server at work.
    async fn talk(lab: &Lab, child: &mut Child) -> anyhow::Result<()> {
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        let mut server = Transport::over(stdout, stdin, Framing::Newline, lab.tap());
        server.sender.send_and_flush(initialize(VERSION).encode()).await?;
        server.receiver.receive().await.context("the server ended early")??;
        Ok(())
    }

    async fn climb_the_ladder(lab: &Lab) -> anyhow::Result<()> {
        let (tell, mut notes) = mpsc::unbounded_channel();
        let settings =
            ClientConfig { shutdown_wait: SHUTDOWN_WAIT, ..ClientConfig::default() };
        let tap = frames_and_notes(lab.frames_only(), tell);
        let client = Client::spawn(&wrapper()?, Framing::Newline, settings, tap)?;
        client.initialize(VERSION).await?;
        let note = notes.recv().await.context("the server says its process id")?;
        let server = pid(note.trim_start_matches("stderr: "))?;
        let exit = client.close().await.context("the server was ours")?;
        let status = exit.status.context("the wrapper was reaped")?;
        lab.say(format_args!("the wrapper ended with {status}"));
        say_whether_it_runs(lab, server);
        Ok(())
    }

    fn say_whether_it_runs(lab: &Lab, server: Pid) {
        let runs = if runs(server) { "STILL RUNS" } else { "is gone" };
        lab.say(format_args!("the server behind it {runs}"));
    }

    /// A killed process answers to signals as a zombie until its parent reaps it, so
    /// its state decides where the system shows it.
    fn runs(pid: Pid) -> bool {
        match fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) => {
                let state = stat.rsplit_once(") ").map(|(_, rest)| rest);
                !state.is_some_and(|state| state.starts_with(['Z', 'X']))
            }
            Err(_) => !cfg!(target_os = "linux") && test_kill_process(pid).is_ok(),
        }
    }

    /// The wrapper's process group. Its faulty host does not know of it; the lab does,
    /// and leaves nothing when it is interrupted at whatever moment.
    struct Leftovers(Pid);

    impl Drop for Leftovers {
        fn drop(&mut self) {
            let _ = kill_process_group(self.0, Signal::KILL); // none may be left
        }
    }

    async fn first_line(stderr: ChildStderr) -> anyhow::Result<Pid> {
        let mut line = String::new();
        BufReader::new(stderr).read_line(&mut line).await?;
        pid(line.trim_end())
    }

    fn pid(text: &str) -> anyhow::Result<Pid> {
        Pid::from_raw(text.parse()?).context("zero is no process id")
    }

    fn frames_and_notes(frames: Tap, notes: mpsc::UnboundedSender<String>) -> Tap {
        Arc::new(move |event| match event {
            Tapped::Note(note) => {
                let _ = notes.send(note.to_string()); // enough was read already
            }
            frame => frames(frame),
        })
    }
}
