//! Runs graders: cargo builds the libraries once, and each set of modules is compiled
//! against them by a separate call of the compiler.

use crate::{
    files,
    outcome::{self, NotCompiled, Tests},
    run::{Ended, Limits, run},
    state::is_memory,
};
use anyhow::{Context, Result, bail};
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
        if !cargo.status.success() {
            bail!("the libraries do not build");
        }
        let messages = String::from_utf8_lossy(&cargo.stdout);
        let (mut libraries, mut folders) = (Vec::new(), Vec::new());
        for message in messages.lines() {
            let message: Value = serde_json::from_str(message).unwrap_or_default();
            if message["reason"] != "compiler-artifact" {
                continue;
            }
            let Some(name) = message["target"]["name"].as_str() else { continue };
            let name = name.replace('-', "_");
            let file = message["filenames"][0].as_str().unwrap_or_default();
            let is_library = ["lib", "proc-macro"]
                .contains(&message["target"]["kind"][0].as_str().unwrap_or_default());
            if is_library && LIBRARIES.contains(&&*name) {
                let folder = Path::new(file).parent().unwrap_or(root);
                folders.extend([folder.to_owned(), folder.join("deps")]);
                let folder = folder.display();
                libraries.extend(["--extern".into(), format!("{name}={file}")]);
                libraries.extend(["-L".into(), format!("dependency={folder}")]);
                libraries.extend(["-L".into(), format!("dependency={folder}/deps")]);
            }
        }
        folders.sort();
        folders.dedup();
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
        self.lay_out_grader(exercise, &scratch)?;
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

    /// The course's grader, in its folder.
    pub fn lay_out_grader(&self, exercise: &Exercise, scratch: &Path) -> Result<()> {
        let folder = Path::new("exercises/tests").join(exercise.target);
        for file in files::below(&self.root.join(&folder))? {
            let text = files::read(&self.root.join(&folder).join(&file))?;
            files::write(&scratch.join(&folder).join(&file), &text)?;
        }
        Ok(())
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
            .args([
                "-C",
                "debuginfo=0",
                "-C",
                "strip=symbols",
                "-A",
                "warnings",
                "--color",
                "never",
            ])
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

    /// The course's own modules, at the place of a learner's.
    pub fn lay_out(&self, exercise: &Exercise, scratch: &Path) -> Result<()> {
        for module in exercise.modules {
            let text = files::read(&self.root.join("src").join(module))?;
            files::write(&scratch.join("exercises/src").join(module), &text)?;
        }
        Ok(())
    }
}
