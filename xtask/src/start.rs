//! A learner's own project, made from the course: the library with functions left to
//! write, the graders, the stages. It holds no solution and no history.

use crate::{
    files::{below, read, write},
    say::say,
    stubs,
};
use anyhow::{Context, Result, bail, ensure};
use exercises::course::{EXERCISES, Exercise};
use std::{collections::BTreeMap, fs, path::Path, process::Command};
use toml::{Table, Value};

const WHOLE: [&str; 4] =
    ["rustfmt.toml", "LICENSE-APACHE", "LICENSE-MIT", "LICENSE-CC-BY-4.0.md"];
/// All stages but the failure lab, which contains solutions.
const STAGES: usize = 6;

/// Makes the project in `folder`, whole or not at all. The exercises before `from` are
/// solved.
pub fn start(root: &Path, folder: &Path, from: u8) -> Result<()> {
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(0) => {}
        Ok(_) => bail!("{} is not empty", folder.display()),
        Err(_) => {
            let exists = folder.symlink_metadata().is_ok();
            ensure!(!exists, "{} is not a folder", folder.display());
        }
    }
    let parent = match folder.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent)
        .with_context(|| format!("cannot make {}", parent.display()))?;
    let scratch = tempfile::tempdir_in(parent)
        .with_context(|| format!("cannot write into {}", parent.display()))?;
    let whole = scratch.path().join("project");
    for (path, text) in project(root, usize::from(from))? {
        write(&whole.join(path), &text)?;
    }
    prune_lock(&whole)?;
    fs::rename(&whole, folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let folder = folder.display();
    say(format_args!("{folder} is ready. Next:\n\n  cd {folder}\n  cargo test"))
}

/// The lock file is the course's: cargo removes the packages that the project does not
/// need, and keeps the versions of the others.
fn prune_lock(project: &Path) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--offline", "--format-version", "1"]);
    let output = cargo.current_dir(project).output().context("cannot start cargo")?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo cannot read the project: {error}");
    Ok(())
}

/// All its files, by path.
fn project(root: &Path, from: usize) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut take = |from: &str, to: &str, file: &str| -> Result<()> {
        let text = read(&root.join(from).join(file))?;
        let text = if file.ends_with(".rs") { stubs::unmarked(&text) } else { text };
        files.insert(format!("{to}{file}"), text);
        Ok(())
    };
    for file in WHOLE {
        take("", "", file)?;
    }
    for (from, to) in [
        ("src", "src/"),
        ("chapters", "chapters/"),
        ("exercises/grading", "grading/"),
        ("exercises/tests", "tests/"),
    ] {
        for file in below(&root.join(from))? {
            let stage = file.split('-').next().and_then(|number| number.parse().ok());
            if from != "chapters" || stage.is_none_or(|stage: usize| stage <= STAGES) {
                take(from, to, &file)?;
            }
        }
    }
    take("exercises/classroom", ".github/workflows/", "classroom.yml")?;
    for exercise in EXERCISES {
        if exercise.number.parse::<usize>()? >= from {
            for (module, text) in stubs::of(exercise, 0, &root.join("src"))? {
                files.insert(format!("src/{module}"), text);
            }
        }
        let hints = read(&root.join(exercise.hints()))?;
        files.insert(exercise.hints(), here(&without_solutions(&hints)));
        let brief = format!("tests/{}/main.rs", exercise.target);
        if let Some(text) = files.get_mut(&brief) {
            *text = with_brief(text);
        }
    }
    files.insert(".gitignore".into(), "/target\n".into());
    files.insert("Cargo.lock".into(), read(&root.join("Cargo.lock"))?);
    let [project, grading] = manifests(root)?;
    files.insert("README.md".into(), readme(&project, from)?);
    files.insert("Cargo.toml".into(), project);
    files.insert("grading/Cargo.toml".into(), grading);
    Ok(files)
}

/// The project's manifest and that of its graders.
fn manifests(root: &Path) -> Result<[String; 2]> {
    let course = read(&root.join("Cargo.toml"))?;
    let exercises = read(&root.join("exercises/Cargo.toml"))?;
    let package = Table::try_from(course.parse::<Table>()?.remove("package"))?;
    let text = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default();
    let fill = |template: &str, dependencies: &str| {
        let filled = template.replace("{edition}", text("edition"));
        let filled = filled.replace("{rust-version}", text("rust-version"));
        filled.replace("{dependencies}\n", dependencies)
    };
    let stages = stages(&course)?.into_iter().map(|stage| {
        format!(
            "\n[[bin]]\nname = \"{stage}\"\npath = \"chapters/{stage}/main.rs\"\n\
             test = false\n"
        )
    });
    let needs = lines_of(&exercises, "[dev-dependencies]");
    let needs: String =
        needs.split_inclusive('\n').filter(|l| !l.starts_with("mcp-from-")).collect();
    let project = fill(
        include_str!("../start/Cargo.toml"),
        &(lines_of(&course, "[dependencies]") + "\n"),
    );
    let project = project
        .replace("{stages}\n", &(stages.collect::<String>() + "\n"))
        .replace("{dev-dependencies}\n", &(needs + "\n"));
    let grading = fill(
        include_str!("../start/grading.toml"),
        &lines_of(&exercises, "[dependencies]"),
    );
    Ok([project, grading])
}

/// The lines of one section of a manifest, without comments and empty lines.
fn lines_of(manifest: &str, section: &str) -> String {
    let lines = manifest.lines().skip_while(|line| *line != section).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn stages(manifest: &str) -> Result<Vec<String>> {
    let manifest: Table = manifest.parse()?;
    let bins = manifest.get("bin").and_then(Value::as_array).context("no stages")?;
    let names = bins.iter().filter_map(|bin| bin.get("name")?.as_str());
    Ok(names.take(STAGES).map(str::to_owned).collect())
}

/// A text of the course with the folders and commands of a project.
fn here(text: &str) -> String {
    text.replace("exercises/src", "src")
        .replace("exercises/tests/", "tests/")
        .replace("cargo test -p exercises", "cargo test")
}

/// A grader of which only the brief is adapted. In a project the modules are in `src/`
/// already, so the brief ends before the remark about copying them.
fn with_brief(grader: &str) -> String {
    let lines = grader.lines().take_while(|line| line.starts_with("//!"));
    let length: usize = lines.map(|line| line.len() + 1).sum();
    let (brief, code) = grader.split_at(length);
    let brief = brief.split("//!         (In the course's repository").next();
    here(brief.unwrap_or_default()) + code
}

/// Hints without solutions. The last paragraph of the introduction promises them.
fn without_solutions(hints: &str) -> String {
    let mut parts = hints.split("\n## ");
    let introduction = parts.next().unwrap_or_default().trim_end();
    let kept = introduction.rsplit_once("\n\n").map_or(introduction, |(kept, _)| kept);
    let without = |task: &str| {
        let hints = task.split("<details>\n<summary>Solution").next();
        format!("\n\n## {}", hints.unwrap_or_default().trim_end())
    };
    kept.to_owned() + &parts.map(without).collect::<String>() + "\n"
}

fn readme(manifest: &str, from: usize) -> Result<String> {
    let manifest: Table = manifest.parse()?;
    let version = manifest["package"].get("rust-version").and_then(Value::as_str);
    let row = |exercise: &Exercise| {
        let Exercise { number, title, target, .. } = exercise;
        format!(
            "| {number} | {title} | `tests/{target}/main.rs` | `cargo test --test {target}` |\n"
        )
    };
    let solved = match from {
        1 => String::new(),
        7 => "All exercises are solved here.\n\n".into(),
        from => format!("Those before exercise {from} are solved here.\n\n"),
    };
    Ok(include_str!("../start/README.md")
        .replace("{exercises}", &EXERCISES.iter().map(row).collect::<String>())
        .replace("{solved}", &solved)
        .replace("{rust-version}", version.context("no rust-version")?))
}
