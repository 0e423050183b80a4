//! Phrases that are not the field's, over all prose: Markdown, comments, strings.

use crate::source::{File, files};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Terms {
    term: Vec<Term>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Term {
    find: String,
    except: Option<String>,
    r#use: String,
    note: Option<String>,
}

struct Rule {
    find: Regex,
    except: Option<Regex>,
    instead: String,
}

/// Other people's words, generated files, the browser tests' sample book.
const FIXTURES: [&str; 5] = [
    "exercises/proof/",
    "exercises/src/", // generated from src/
    "tests/house/terms",
    "book/tests/sample/",
    "LICENSE",
];

/// A text with the number of each line's first character.
struct Prose {
    text: String,
    starts: Vec<(usize, usize)>,
}

impl Prose {
    fn new(lines: impl Iterator<Item = Line>) -> Self {
        let mut prose = Self { text: String::new(), starts: Vec::new() };
        let mut continues = false;
        for Line { number, text, flows } in lines {
            let end = if flows && continues { ' ' } else { '\n' };
            prose.text.push(end);
            prose.starts.push((prose.text.len(), number));
            prose.text.push_str(&text);
            continues = flows;
        }
        prose.text.make_ascii_lowercase(); // every offset stays
        prose
    }

    fn line(&self, offset: usize) -> usize {
        let after = self.starts.partition_point(|(start, _)| *start <= offset);
        self.starts[after.saturating_sub(1)].1
    }
}

struct Line {
    number: usize,
    text: String,
    /// Whether the sentence may continue on the next line.
    flows: bool,
}

/// Without what stands in backticks, which is code.
fn without_code(line: &str) -> String {
    let parts = line.split('`').enumerate();
    let prose = parts.map(|(n, part)| if n % 2 == 0 { part } else { "`" });
    prose.collect()
}

/// A page without fenced blocks, quotations, includes and links' targets.
fn markdown(text: &str) -> Prose {
    let mut fence = false;
    Prose::new((1..).zip(text.lines()).filter_map(move |(number, line)| {
        let start = line.trim_start();
        let is_fence = start.starts_with("```");
        fence ^= is_fence;
        let code = fence || is_fence || line.starts_with("    ");
        if code || start.starts_with("> ") || line.contains("{{#") {
            return None;
        }
        let text = without_code(line.trim());
        let text =
            text.split("](").map(|part| part.split_once(')').map_or(part, |p| p.1));
        let text: String = text.collect::<Vec<_>>().join(" ");
        let flows = !line.is_empty() && !start.starts_with(['#', '|']);
        Some(Line { number, text, flows })
    }))
}

/// Comments joined, code line by line, names of functions as sentences.
/// Frames in literals are bytes, not prose.
fn rust(text: &str) -> Prose {
    Prose::new((1..).zip(text.lines()).filter_map(|(number, line)| {
        let start = line.trim_start();
        let comment = start.strip_prefix("//");
        if comment.is_none()
            && ["jsonrpc", "r#\"", "r##\""].iter().any(|x| line.contains(x))
        {
            return None;
        }
        let text = comment.map_or(start, |text| text.trim_start_matches(['/', '!']));
        let text = without_code(text.trim());
        let is_name = comment.is_none() && start.contains("fn ");
        let text = if is_name { text.replace('_', " ") } else { text };
        Some(Line { number, flows: comment.is_some() && !text.is_empty(), text })
    }))
}

/// `file:line: the phrase → the replacement`.
fn found(rules: &[Rule], path: &str, prose: &Prose) -> Vec<String> {
    let mut found = Vec::new();
    for Rule { find, except, instead } in rules {
        for phrase in find.find_iter(&prose.text) {
            let rest = &prose.text[phrase.start()..];
            if except.as_ref().is_some_and(|except| except.is_match(rest)) {
                continue;
            }
            let (line, phrase) = (prose.line(phrase.start()), phrase.as_str());
            found.push((line, format!("{path}:{line}: “{phrase}” → {instead}")));
        }
    }
    found.sort();
    found.into_iter().map(|(_, text)| text).collect()
}

fn regex(text: &str) -> Regex {
    RegexBuilder::new(text).multi_line(true).build().expect("a regular expression")
}

fn rules(toml: &str) -> Vec<Rule> {
    let terms: Terms = toml::from_str(toml).expect("terms.toml");
    let rule = |Term { find, except, r#use, note }: Term| Rule {
        find: regex(&find),
        except: except.map(|except| regex(&format!(r"\A(?:{except})"))),
        instead: r#use + &note.map_or(String::new(), |note| format!(" ({note})")),
    };
    terms.term.into_iter().map(rule).collect()
}

fn all_prose() -> Vec<(String, Prose)> {
    let pages = files("", "md").into_iter().map(|f| (markdown(&f.text), f));
    let sources = files("", "rs").into_iter().map(|f| (rust(&f.text), f));
    let all = pages.chain(sources).map(|(prose, File { path, .. })| (path, prose));
    all.filter(|(path, _)| !FIXTURES.iter().any(|f| path.starts_with(f))).collect()
}

#[test]
fn all_prose_uses_the_fields_words() {
    let rules = rules(include_str!("terms.toml"));
    let mut wrong = Vec::new();
    for (path, prose) in all_prose() {
        wrong.extend(found(&rules, &path, &prose));
    }
    assert!(wrong.is_empty(), "{} phrases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_phrase_is_found_in_prose_and_not_in_code_or_quotations() {
    let rules = rules(
        "[[term]]\nfind = '\\bfor ever\\b'\nuse = 'forever'\n\
         note = 'n'\nexcept = 'for ever on'\n",
    );
    let page = "It waits\nfor\never.\n\n`for ever`\n> for ever\n```text\nfor ever\n```\n\
                [for ever](for ever) for ever on\n";
    let expected = ["a:2: “for ever” → forever (n)", "a:10: “for ever” → forever (n)"];
    assert_eq!(expected, found(&rules, "a", &markdown(page))[..]);
    let source = "/// Waits for\n/// ever.\nfn waits_for_ever() {\n    let for = ever;\n\
                  let frame = r#\"for ever\"#; // `for ever`\n    fail(\"for ever\");\n";
    let lines: Vec<_> = found(&rules, "a", &rust(source))
        .into_iter()
        .map(|text| text.split(':').nth(1).expect("a line").to_owned())
        .collect();
    assert_eq!(["1", "3", "6"], lines[..]);
}
