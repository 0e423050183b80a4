//! A project of the learner's own, made from the course: the library with functions left
//! to write, the graders, the stages. No solution is in it, and no history.

use crate::{
    files::{below, read, write},
    lock,
    say::say,
    stubs,
};
use anyhow::{Context, Result, bail, ensure};
use exercises::course::{EXERCISES, Exercise};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use toml::{Table, Value};

const WHOLE: [&str; 4] =
    ["rustfmt.toml", "LICENSE-APACHE", "LICENSE-MIT", "LICENSE-CC-BY-4.0.md"];
/// All stages but the failure lab, which is built of solutions.
const STAGES: usize = 6;

/// Makes the project in `folder`, whole or not at all. The exercises before `from` are
/// solved.
pub fn start(root: &Path, folder: &Path, from: u8) -> Result<()> {
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(0) => {}
        Ok(_) => bail!("{} is not empty", folder.display()),
        Err(_) => {
            let there = folder.symlink_metadata().is_ok();
            ensure!(!there, "{} is no folder", folder.display());
        }
    }
    let above = match folder.parent() {
        Some(above) if above != Path::new("") => above,
        _ => Path::new("."),
    };
    fs::create_dir_all(above)
        .with_context(|| format!("cannot make {}", above.display()))?;
    let scratch = tempfile::tempdir_in(above)
        .with_context(|| format!("cannot write into {}", above.display()))?;
    let whole = scratch.path().join("project");
    for (path, text) in project(root, usize::from(from))? {
        write(&whole.join(path), &text)?;
    }
    fs::rename(&whole, folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let folder = folder.display();
    say(format_args!(
        "{folder} is ready; what to do next:\n\n  cd {folder}\n  cargo test"
    ))
}

/// All its files, by path.
fn project(root: &Path, from: usize) -> Result<BTreeMap<String, String>> {
    let number = |exercise: &&Exercise| exercise.number.parse().unwrap_or(0);
    let open = Vec::from_iter(EXERCISES.iter().filter(|e| number(e) >= from));
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
    for file in below(&root.join("src"))? {
        take("src", "src/", &file)?;
    }
    for file in below(&root.join("chapters"))? {
        let stage = file.split('-').next().and_then(|number| number.parse().ok());
        if stage.is_none_or(|stage: usize| stage <= STAGES) {
            take("chapters", "chapters/", &file)?;
        }
    }
    for file in below(&root.join("exercises/grading"))? {
        take("exercises/grading", "grading/", &file)?;
    }
    for file in below(&root.join("exercises/tests"))? {
        take("exercises/tests", "tests/", &file)?;
    }
    take("exercises/classroom", ".github/workflows/", "classroom.yml")?;
    for exercise in open {
        for (module, text) in stubs::of(exercise, 0, &root.join("src"))? {
            files.insert(format!("src/{module}"), text);
        }
    }
    for exercise in EXERCISES.iter().filter(|e| !e.tasks.is_empty()) {
        let hints = read(&root.join(exercise.hints()))?;
        files.insert(exercise.hints(), here(&without_solutions(&hints)));
        let brief = format!("tests/{}.rs", exercise.target);
        if let Some(text) = files.get_mut(&brief) {
            *text = with_brief(text);
        }
    }
    files.insert(".gitignore".into(), "/target\n".into());
    files.extend(manifests(root)?);
    let readme = readme(&files["Cargo.toml"], from)?;
    files.insert("README.md".into(), readme);
    Ok(files)
}

/// Both manifests and the lock file.
fn manifests(root: &Path) -> Result<[(String, String); 3]> {
    let course = read(&root.join("Cargo.toml"))?;
    let exercises = read(&root.join("exercises/Cargo.toml"))?;
    let needs = lines_of(&exercises, "[dev-dependencies]");
    let needs = needs.filter(|line| !line.starts_with("mcp-from-scratch "));
    let stages = Vec::from_iter(stages(&course)?);
    let stage = |stage: &String| {
        format!(
            "\n[[bin]]\nname = \"{stage}\"\npath = \"chapters/{stage}/main.rs\"\n\
             test = false\n"
        )
    };
    let package = Table::try_from(course.parse::<Table>()?.remove("package"))?;
    let text = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default();
    let fill = |template: &str, dependencies: String| {
        let filled = template.replace("{edition}", text("edition"));
        let filled = filled.replace("{rust-version}", text("rust-version"));
        filled.replace("{dependencies}\n", &dependencies)
    };
    let joined = |lines: &mut dyn Iterator<Item = &str>| {
        lines.flat_map(|line| [line, "\n"]).collect::<String>()
    };
    let project = fill(
        include_str!("../start/Cargo.toml"),
        joined(&mut lines_of(&course, "[dependencies]")) + "\n",
    );
    let project = project
        .replace(
            "{stages}\n",
            &format!("{}\n", stages.iter().map(stage).collect::<String>()),
        )
        .replace("{dev-dependencies}\n", &(joined(&mut needs.into_iter()) + "\n"));
    let grading = fill(
        include_str!("../start/grading.toml"),
        joined(&mut lines_of(&exercises, "[dependencies]")),
    );
    let lock = lock::part(
        &read(&root.join("Cargo.lock"))?,
        &[("mcp-from-scratch", names(&project)?), ("exercises", names(&grading)?)],
    )?;
    Ok([
        ("Cargo.toml".into(), project),
        ("grading/Cargo.toml".into(), grading),
        ("Cargo.lock".into(), lock),
    ])
}

/// The lines of one section of a manifest that say something.
fn lines_of<'a>(manifest: &'a str, section: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = manifest.lines().skip_while(move |line| *line != section).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The names of all dependencies of a manifest.
fn names(manifest: &str) -> Result<BTreeSet<String>> {
    let manifest: Table = manifest.parse()?;
    let sections = ["dependencies", "dev-dependencies"].into_iter();
    let tables = sections.filter_map(|section| manifest.get(section)?.as_table());
    Ok(tables.flat_map(|table| table.keys().cloned()).collect())
}

fn stages(manifest: &str) -> Result<Vec<String>> {
    let manifest: Table = manifest.parse()?;
    let bins = manifest.get("bin").and_then(Value::as_array).context("no stages")?;
    let names = bins.iter().filter_map(|bin| bin.get("name")?.as_str());
    Ok(names.take(STAGES).map(str::to_owned).collect())
}

/// The texts of the course name its folders and commands; these are the project's.
fn here(text: &str) -> String {
    text.replace("exercises/src", "src")
        .replace("exercises/tests/", "tests/")
        .replace("cargo test -p exercises", "cargo test")
}

/// A grader, of which the brief is adapted and nothing else.
fn with_brief(grader: &str) -> String {
    let code = grader.lines().take_while(|line| line.starts_with("//!"));
    let brief: usize = code.map(|line| line.len() + 1).sum();
    format!("{}{}", in_place(&here(&grader[..brief])), &grader[brief..])
}

/// A brief for modules that are in their place already: nothing is copied, and nothing
/// has to be brought back.
fn in_place(brief: &str) -> String {
    let copied = ("copy your ", "in `src/`, ");
    let mut text: String = brief
        .lines()
        .filter(|line| !line.contains("git restore"))
        .fold(String::new(), |text, line| text + line + "\n");
    if let Some(start) = text.find(copied.0) {
        if let Some(end) = text[start..].find(copied.1) {
            text.replace_range(start..start + end + copied.1.len(), "");
        }
    }
    text
}

/// Hints without what shows a solution, or speaks of it.
fn without_solutions(hints: &str) -> String {
    const SOLUTION: &str = "<details>\n<summary>Solution";
    let hints = hints.replace(
        "than the one before, and then the\nsolution. Try before you unfold.",
        "than the one before. Try before you\nunfold.",
    );
    let mut parts = hints.split(SOLUTION);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(next) = part.find("\n## ") {
            text.push_str(&part[next + 1..]);
        }
    }
    text
}

fn readme(manifest: &str, from: usize) -> Result<String> {
    let manifest: Table = manifest.parse()?;
    let version = manifest["package"].get("rust-version").and_then(Value::as_str);
    let row = |exercise: &Exercise| {
        let Exercise { number, title, target, .. } = exercise;
        format!(
            "| {number} | {title} | `tests/{target}.rs` | `cargo test --test {target}` |\n"
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
