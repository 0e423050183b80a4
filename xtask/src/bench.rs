//! Runs graders: cargo builds the libraries once, and each set of modules is compiled
//! against them by a separate call of the compiler.

use crate::{
    files,
    outcome::{self, NotCompiled, Tests},
    run::{Ended, Limits, run},
    state::is_memory,
};
use anyhow::{Context, Result, ensure};
use exercises::course::Exercise;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use tempfile::TempDir;

/// A build of one grader takes seconds.
pub const COMPILING: Limits =
    Limits { time: Duration::from_secs(120), output: 1 << 20 };
/// For all tests of one exercise; each test also has a limit of two seconds.
const JUDGING: Limits = Limits { time: Duration::from_secs(30), output: 8 << 20 };

/// What a grader and the modules under it may use.
const LIBRARIES: [&str; 7] = [
    "exercises",
    "mcp_from_scratch",
    "memchr",
    "serde",
    "serde_json",
    "thiserror",
    "tokio",
];

pub struct Bench {
    root: PathBuf,
    /// The compiler's folder, and the compiler itself instead of rustup's proxy.
    sysroot: PathBuf,
    compiler: PathBuf,
    /// `--extern NAME=FILE`, and the folders of their dependencies.
    libraries: Vec<String>,
    /// The folders of the libraries.
    folders: Vec<PathBuf>,
    scratch: TempDir,
}

impl Bench {
    /// Builds the libraries of the repository at `root`.
    pub fn prepare(root: &Path) -> Result<Self> {
        let cargo = Command::new(env!("CARGO"))
            .current_dir(root)
            .args(["test", "--package", "exercises", "--features", "reference"])
            .args(["--test", "00_start", "--no-run", "--message-format", "json"])
            .stderr(std::process::Stdio::inherit())
            .output()
            .context("cannot start cargo")?;
        ensure!(cargo.status.success(), "the libraries do not build");
        let (mut libraries, mut folders) = (Vec::new(), Vec::new());
        for message in String::from_utf8_lossy(&cargo.stdout).lines() {
            let message: Value = serde_json::from_str(message).unwrap_or_default();
            let (target, file) = (&message["target"], &message["filenames"][0]);
            let is_library =
                target["kind"][0] == "lib" || target["kind"][0] == "proc-macro";
            let (Some(name), Some(file)) = (target["name"].as_str(), file.as_str())
            else {
                continue;
            };
            let name = name.replace('-', "_");
            if is_library && LIBRARIES.contains(&&*name) {
                let folder = Path::new(file).parent().unwrap_or(root);
                folders.extend([folder.to_owned(), folder.join("deps")]);
                libraries.extend(["--extern".into(), format!("{name}={file}")]);
            }
        }
        folders.sort();
        folders.dedup();
        for folder in &folders {
            libraries.push(format!("-Ldependency={}", folder.display()));
        }
        let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
        let sysroot = sysroot.context("cannot start rustc")?.stdout;
        let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot).trim());
        let compiler = sysroot.join("bin/rustc");
        let (root, scratch) = (root.into(), tempfile::tempdir()?);
        Ok(Self { root, sysroot, compiler, libraries, folders, scratch })
    }

    /// Runs the grader of `exercise` on the course's modules, with `changed` in place of
    /// some of them. The modules are trusted: all that a thread judges is compiled in the
    /// same folder, where the compiler keeps what has not changed.
    pub fn judge(
        &self,
        exercise: &Exercise,
        changed: &BTreeMap<String, String>,
    ) -> Result<Tests> {
        let thread = rayon::current_thread_index().unwrap_or_default();
        let scratch = self.scratch.path().join(format!("{}-{thread}", exercise.number));
        self.lay_out(exercise, &scratch)?;
        for (module, text) in changed {
            files::write(&scratch.join("exercises/src").join(module), text)?;
        }
        let program = scratch.join(exercise.target);
        let _ = fs::remove_file(&program); // absent at first
        let mut compiler = Command::new(&self.compiler);
        compiler.arg("-Cincremental=incremental");
        let failed =
            self.compile(compiler, exercise, &scratch, &program, &COMPILING)?;
        if let Some(why) = failed {
            return Err(why.into());
        }
        let mut grader = Command::new(&program);
        grader.current_dir(&scratch).arg("--test-threads=2");
        let ran = run(&mut grader, &JUDGING)?;
        Ok(outcome::read(&ran.text, ran.ended))
    }

    pub fn compiler(&self) -> &Path {
        &self.compiler
    }

    /// What a compiler must be able to read beside the scratch folder.
    pub fn readable(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(PathBuf::as_path).chain([&*self.sysroot])
    }

    /// Compiles the test in `scratch` with a command that starts the compiler; `None`
    /// if it went well. Lints that the compiler only warns of are silent.
    pub fn compile(
        &self,
        mut compiler: Command,
        exercise: &Exercise,
        scratch: &Path,
        program: &Path,
        limits: &Limits,
    ) -> Result<Option<NotCompiled>> {
        compiler
            .current_dir(scratch)
            .args(["--test", "--edition", "2024", "--crate-name", "grader"])
            .args(["-C", "debuginfo=0", "-A", "warnings", "--color", "never"])
            .args(&self.libraries)
            .arg("-o")
            .arg(program)
            .arg(exercise.brief());
        let compiled = run(&mut compiler, limits)?;
        Ok(match compiled.ended {
            Ended::Exited(0) => None,
            Ended::Exited(_) => Some(NotCompiled::Wrong(compiled.text)),
            // A compiler without memory reports it and aborts.
            Ended::Killed(_) if is_memory(&compiled.text) => {
                Some(NotCompiled::Wrong(compiled.text))
            }
            other => Some(NotCompiled::Stopped(other)),
        })
    }

    /// Puts the course's modules, in place of a learner's, and the grader into `scratch`.
    pub fn lay_out(&self, exercise: &Exercise, scratch: &Path) -> Result<()> {
        let copy = |from: &str, to: &str, file: &str| {
            let text = files::read(&self.root.join(from).join(file))?;
            files::write(&scratch.join(to).join(file), &text)
        };
        for module in exercise.modules {
            copy("src", "exercises/src", module)?;
        }
        let grader = format!("exercises/tests/{}", exercise.target);
        for file in files::below(&self.root.join(&grader))? {
            copy(&grader, &grader, &file)?;
        }
        Ok(())
    }
}
