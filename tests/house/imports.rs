//! A chapter uses only what it and earlier chapters built.

use crate::source::{File, files_below, paths, read, tokens};
use std::path::Path;

/// The library's modules in the order of `lib.rs`, each with its chapter; 0 for what the
/// stages of every chapter use.
fn contents(lib: &str) -> Vec<(String, u32)> {
    let (mut modules, mut chapter) = (Vec::new(), 0);
    for line in lib.lines() {
        if let Some(heading) = line.strip_prefix("// Chapter ") {
            let number = heading.split(':').next().unwrap_or_default();
            chapter = number.parse().expect("`// Chapter N: …`");
        } else if line.starts_with("// Shared:") {
            chapter = 0;
        }
        if let Some(module) = line.strip_prefix("pub mod ") {
            modules.push((module.trim_end_matches(';').to_owned(), chapter));
        }
    }
    modules
}

/// Exported macros are at the top of the crate, wherever they are written.
const MACROS: [(&str, &str); 1] = [("params", "jsonrpc")];

/// The module named first in each path that starts with `root::`.
pub fn modules_used(text: &str, root: &str) -> Vec<String> {
    let paths = paths(text, root);
    let names = paths.iter().filter_map(|path| path.split("::").nth(1));
    let module = |name| MACROS.iter().find(|(it, _)| *it == name).map_or(name, |m| m.1);
    names.map(|name| module(name).to_owned()).collect()
}

/// `src/server/session.rs` belongs to `server`.
fn module_of(path: &str) -> &str {
    let inside = path.trim_start_matches("src/").trim_end_matches(".rs");
    inside.split('/').next().unwrap_or(inside)
}

/// What a file of the library uses that is not above it.
fn forward_imports(contents: &[(String, u32)], file: &File) -> Vec<String> {
    let place = |name: &str| contents.iter().position(|(module, _)| module == name);
    let mine = place(module_of(&file.path));
    let used = modules_used(&file.text, "crate").into_iter();
    used.filter(|name| place(name).is_none() || place(name) > mine)
        .map(|name| format!("{} uses {name}", file.path))
        .collect()
}

/// Whether a file leaves its module by `super`, past every check above: by two steps
/// up, or by one from a file at the top.
fn has_back_door(file: &File) -> bool {
    let inside = file.path.trim_start_matches("src/").contains('/');
    let steps = ["super", "::", "super", "::"];
    let steps = if inside { &steps[..] } else { &steps[..2] };
    tokens(&file.text).windows(steps.len()).any(|words| words == steps)
}

#[test]
fn no_module_leaves_its_parent_by_super() {
    let found: Vec<_> = files_below("src").into_iter().filter(has_back_door).collect();
    let found: Vec<_> = found.into_iter().map(|file| file.path).collect();
    assert_eq!(Vec::<String>::new(), found);
    assert!(has_back_door(&file("src/frame/lines.rs", "use super::super::client;")));
    assert!(has_back_door(&file("src/frame.rs", "use super::client;")));
    assert!(!has_back_door(&file("src/frame/lines.rs", "use super::Framing;")));
}

/// What a chapter's file uses of later chapters.
fn later_chapters(
    contents: &[(String, u32)],
    chapter: u32,
    file: &File,
) -> Vec<String> {
    let chapter_of = |name: &str| contents.iter().find(|(module, _)| module == name);
    let used = modules_used(&file.text, "mcp_from_scratch").into_iter();
    used.filter(|name| chapter_of(name).is_none_or(|(_, its)| *its > chapter))
        .map(|name| format!("chapter {chapter} uses {name} in {}", file.path))
        .collect()
}

/// The files that a source includes by `#[path = "…"]`.
fn included(file: &File) -> Vec<File> {
    let folder = Path::new(&file.path).parent().expect("a file in a folder");
    let names = file.text.lines().filter_map(|line| {
        line.trim().strip_prefix("#[path = \"")?.strip_suffix("\"]")
    });
    names
        .map(|name| {
            let path = folder.join(name).to_str().expect("UTF-8").to_owned();
            File { text: read(&path), path }
        })
        .collect()
}

#[test]
fn the_library_imports_only_modules_above() {
    let contents = contents(&read("src/lib.rs"));
    let files = files_below("src");
    let wrong: Vec<_> =
        files.iter().flat_map(|file| forward_imports(&contents, file)).collect();
    assert_eq!(Vec::<String>::new(), wrong);
}

#[test]
fn every_module_has_its_place_in_the_table_of_contents() {
    let contents = contents(&read("src/lib.rs"));
    for file in files_below("src").iter().filter(|file| file.path != "src/lib.rs") {
        let module = module_of(&file.path);
        assert!(contents.iter().any(|(name, _)| name == module), "{module}");
    }
    let (shared, chapters) = contents.split_last().expect("modules");
    assert_eq!("cli", shared.0, "what the stages share is last");
    assert!(chapters.iter().all(|(_, chapter)| *chapter > 0), "{contents:?}");
    assert!(chapters.is_sorted_by_key(|(_, chapter)| *chapter), "{contents:?}");
}

#[test]
fn a_chapter_uses_only_what_it_and_earlier_ones_built() {
    let contents = contents(&read("src/lib.rs"));
    let mut wrong = Vec::new();
    for file in files_below("chapters") {
        let folder = file.path.split('/').nth(1).expect("below chapters");
        let Some((number, _)) = folder.split_once('-') else {
            continue; // included by path, and read with the chapters that do so
        };
        let chapter = number.parse().expect("a folder that starts with its number");
        for file in included(&file).iter().chain([&file]) {
            wrong.extend(later_chapters(&contents, chapter, file));
        }
    }
    assert_eq!(Vec::<String>::new(), wrong);
}

const LIB: &str = "// Chapter 1: messages\npub mod jsonrpc;\n// Chapter 2: frames\npub mod frame;\npub mod noise;\n";

fn file(path: &str, text: &str) -> File {
    File { path: path.into(), text: text.into() }
}

#[test]
fn a_forward_import_is_found_in_every_spelling() {
    let contents = contents(LIB);
    for text in [
        "use crate::frame;",
        "use crate::{\n    jsonrpc::Id,\n    frame::{self, Framing},\n};",
        "fn f() -> crate::frame::Framing {}",
        "use crate::gone::Id;",
    ] {
        let wrong = forward_imports(&contents, &file("src/jsonrpc/parse.rs", text));
        assert_eq!(1, wrong.len().min(1), "{text}");
        assert!(wrong[0].starts_with("src/jsonrpc/parse.rs uses "), "{wrong:?}");
    }
    for text in
        ["use crate::jsonrpc::Id;", "use crate::frame::Framing;", "// crate::noise"]
    {
        let fine = forward_imports(&contents, &file("src/frame.rs", text));
        assert_eq!(Vec::<String>::new(), fine, "{text}");
    }
}

#[test]
fn a_later_chapter_is_found_in_a_main_and_in_what_it_includes() {
    let contents = contents(LIB);
    let early = file("a.rs", "use mcp_from_scratch::{jsonrpc, frame::Framing};");
    assert_eq!(
        ["chapter 1 uses frame in a.rs"],
        later_chapters(&contents, 1, &early)[..]
    );
    assert_eq!(Vec::<String>::new(), later_chapters(&contents, 2, &early));
    let main = file(
        "chapters/01-jsonrpc-codec/main.rs",
        "#[path = \"../conversation.rs\"]\nmod conversation;",
    );
    let paths: Vec<_> = included(&main).into_iter().map(|file| file.path).collect();
    assert_eq!(["chapters/01-jsonrpc-codec/../conversation.rs"], paths[..]);
}
