//! Tests an MCP server (stage 3) or client (stage 4) from outside.

use anyhow::{Context, bail};
use clap::Parser;
use mcp_check::{
    client::{self, Client},
    process::kill_all,
    report::{Entry, Report, junit, line, summary},
    rule::{Check, Problem},
    script::{self, Role},
    server::{self, Server},
};
use mcp_from_scratch::{
    cli::{
        client::{parse_call, parse_seconds, until_interrupted},
        echo,
        output::{self, Out, Usage},
    },
    frame::Framing,
};
use std::{
    env, fs,
    io::{self, IsTerminal},
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

/// Tests an MCP server or client, in any language, by what it writes.
///
/// With --stage 3, COMMAND is a server. With --stage 4 it is a client: the word {server}
/// among its ARGS is replaced by the command line of the server that it must start.
/// Without that word the command line is added at the end.
///
/// Exit status: 0 if every MUST holds, 1 if one is violated, 2 for wrong usage or a
/// COMMAND that cannot be started. A violated SHOULD is a warning.
#[derive(Parser)]
#[command(name = "mcp-check")]
struct Args {
    /// 3: COMMAND is a server; 4: COMMAND is a client
    #[arg(long, value_name = "3|4", default_value = "3",
        value_parser = clap::value_parser!(u32).range(3..=4))]
    stage: u32,
    /// newline or content-length
    #[arg(long, value_name = "FRAMING", default_value = "newline")]
    framing: Framing,
    /// Print one JSON document; the lines go to stderr
    #[arg(long)]
    json: bool,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Limit for one response [default: 10], with --stage 4 for one run [default: 15]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// With --stage 3: a tool that may be called, and valid arguments
    #[arg(long, num_args = 1..=2, value_names = ["NAME", "JSON"])]
    call: Vec<String>,
    /// The program to test
    #[arg(last = true, required = true, value_names = ["COMMAND", "ARGS"])]
    command: Vec<String>,
}

fn main() -> ExitCode {
    let words: Vec<_> = env::args().skip(1).collect();
    if let Some((script::WORD, role)) = words.split_first().map(|it| (&**it.0, it.1)) {
        return serve(role);
    }
    let args: Args = output::arguments();
    let out = Out::stdout();
    let mut passed = false;
    let result = echo::run(async {
        let work = tokio::task::spawn_blocking({
            let out = out.clone();
            move || test(&args, &out)
        });
        let work = async {
            passed = work.await.context("the checker panicked")??;
            Ok(())
        };
        until_interrupted(work).await
    });
    kill_all();
    match (output::end(&out, result), passed) {
        (ExitCode::SUCCESS, false) => ExitCode::FAILURE,
        (code, _) => code,
    }
}

/// As a child of the client under test.
fn serve(words: &[String]) -> ExitCode {
    match Role::parse(words).map(script::serve) {
        Some(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    }
}

fn test(args: &Args, out: &Out) -> anyhow::Result<bool> {
    if args.stage == 4 && !args.call.is_empty() {
        bail!(Usage("--call is for --stage 3".into()));
    }
    let (lines, is_terminal) = match args.json {
        true => (Out::stderr(), io::stderr().is_terminal()),
        false => (out.clone(), io::stdout().is_terminal()),
    };
    let coloured = is_terminal && env::var_os("NO_COLOR").is_none();
    let (command, framing) = (args.command.clone(), args.framing);
    let timeout = |seconds| args.timeout.unwrap_or(Duration::from_secs(seconds));
    let entries = if args.stage == 3 {
        let mut server = Server::new(command, framing, timeout(10));
        if !args.call.is_empty() {
            server.call = Some(parse_call(&args.call)?);
        }
        run(&server::checks(), &server, args, &lines, coloured)?
    } else {
        let client = Client::new(command, framing, timeout(15), this_program()?);
        run(&client::checks(), &client, args, &lines, coloured)?
    };
    let (stage, framing) = (args.stage, framing.to_string());
    let report = Report { stage, framing, command: args.command.clone(), entries };
    lines.line(summary(&report));
    if args.json {
        out.line(report.to_json());
    }
    if let Some(file) = &args.junit {
        fs::write(file, junit::to_xml(&report)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(report.passed())
}

/// A client may start it from another folder, long after a new build, so this is not
/// `/proc/self/exe`.
fn this_program() -> anyhow::Result<String> {
    let path = env::current_exe().context("cannot find this program's file")?;
    path.into_os_string().into_string().ok().context("this program's path is not UTF-8")
}

/// Runs the checks one by one and prints each result.
fn run<Subject>(
    checks: &[Check<Subject>],
    subject: &Subject,
    args: &Args,
    out: &Out,
    coloured: bool,
) -> Result<Vec<Entry>, Usage> {
    let mut entries = Vec::new();
    for check in checks {
        let start = Instant::now();
        let verdict = (check.run)(subject);
        if let (true, Err(Problem::NotStarted(error))) = (entries.is_empty(), &verdict)
        {
            let program = args.command.first().map_or("", String::as_str);
            return Err(Usage(format!("`{program}` cannot be started: {error}")));
        }
        let entry = Entry { rule: check.rule, verdict, took: start.elapsed() };
        out.line(line(&entry, coloured));
        entries.push(entry);
    }
    Ok(entries)
}
