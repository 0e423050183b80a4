//! Servers that do not start, or not for long; and what they are started with.

use crate::{
    common::{limit::run, notes::notes},
    script::*,
};
use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    process::ServerCommand,
};
use std::{error::Error, process::Command};

/// Why the program cannot be started.
fn not_started(program: &str) -> String {
    let spec = ServerCommand { program: program.into(), ..ServerCommand::default() };
    let (tap, _notes) = notes();
    let client = Client::spawn(&spec, Framing::Newline, ClientConfig::default(), tap);
    let error = client.err().expect("it does not start");
    format!("{error}: {}", error.source().expect("a cause"))
}

#[test]
fn a_command_that_is_not_there_is_named() {
    run(async {
        let expected =
            "cannot start `no-such-server`: No such file or directory (os error 2)";
        assert_eq!(expected, not_started("no-such-server"));
    });
}

#[test]
fn a_file_that_is_not_executable_is_named() {
    run(async {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let expected =
            format!("cannot start `{file}`: Permission denied (os error 13)");
        assert_eq!(expected, not_started(file));
    });
}

#[test]
fn a_script_with_a_bad_shebang_is_named() {
    run(async {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("server");
        let file = file.to_str().expect("UTF-8");
        // A file that this process has open for writing could not be executed.
        let script = r#"printf '#!/no/such/interpreter\n' >"$0" && chmod +x "$0""#;
        let written = Command::new("sh").args(["-c", script, file]).status();
        assert!(written.expect("sh starts").success());
        let error = not_started(file);
        let reason = "the interpreter that its first line names does not exist";
        assert_eq!(format!("cannot start `{file}`: {reason}"), error);
    });
}

/// What is logged of a server must not hold its keys.
#[test]
fn a_server_is_shown_without_the_values_of_its_variables() {
    let env = vec![("API_KEY".into(), "secret".into())];
    let spec = ServerCommand { program: "x".into(), args: vec!["-v".into()], env };
    let shown = r#"ServerCommand { program: "x", args: ["-v"], env: ["API_KEY"] }"#;
    assert_eq!(shown, format!("{spec:?}"));
}

#[test]
fn a_server_that_exits_at_once_says_why() {
    run(async {
        let script = "echo 'usage: server DIR' >&2; echo 'no DIR given' >&2; exit 2";
        let (client, _notes) = start(&shell(script));
        let error = client.handshake().await.expect_err("it is gone").to_string();
        let expected = "the server ended with exit status: 2; its last lines on \
                        stderr: usage: server DIR | no DIR given";
        assert_eq!(expected, error);
    });
}

/// The server's environment, as `env` prints it.
async fn environment(spec: ServerCommand) -> Vec<String> {
    let (client, mut notes) = start(&spec);
    client.handshake().await.expect_err("it only prints");
    let lines = notes.rest().into_iter();
    lines.filter_map(|note| Some(note.strip_prefix("stderr: ")?.to_owned())).collect()
}

#[test]
fn a_server_gets_path_and_what_its_spec_names_and_not_the_rest() {
    run(async {
        let named = ("DEMO_TOKEN".to_owned(), "t=1".to_owned());
        let env = vec![named, ("TZ".to_owned(), "UTC".to_owned())];
        let environment = environment(ServerCommand { env, ..shell("env >&2") }).await;
        // No value is shown on failure: a developer's own may be secret.
        let has = |line: &str| environment.iter().any(|it| it == line);
        assert!(has("DEMO_TOKEN=t=1"), "what the spec names is there");
        assert!(has("TZ=UTC"), "the spec outranks what is inherited");
        let path = std::env::var("PATH").expect("we have one");
        assert!(has(&format!("PATH={path}")), "it is inherited");
        // Cargo gives it to us, so it would show if everything were inherited.
        let ours = std::env::var("CARGO_MANIFEST_DIR").expect("a test has one");
        assert!(!has(&format!("CARGO_MANIFEST_DIR={ours}")), "it is not inherited");
    });
}
