//! What must hold of every page.

use super::page::{self, Link, Page};
use crate::files;
use anyhow::Result;
use std::{collections::BTreeMap, path::Path};

/// The largest page, in bytes. `print.html` is all of them in one, and is not held.
const LARGEST: usize = 300 * 1024;

struct Book<'a> {
    folder: &'a Path,
    pages: BTreeMap<String, Page>,
}

/// How many pages there are, and all that is wrong with them, a line each.
pub fn check(folder: &Path) -> Result<(usize, Vec<String>)> {
    let mut book = Book { folder, pages: BTreeMap::new() };
    let mut problems = Vec::new();
    for name in files::below(folder)? {
        if !name.ends_with(".html") {
            continue;
        }
        let html = files::read(&folder.join(&name))?;
        problems.extend(of_text(&html, &name));
        book.pages.insert(name, page::read(&html));
    }
    for (name, page) in &book.pages {
        if page.empty_listings > 0 {
            let count = page.empty_listings;
            problems.push(format!("{name}: {count} empty code block(s)"));
        }
        let wrong = page.links.iter().filter_map(|link| book.problem(name, page, link));
        problems.extend(wrong.map(|wrong| format!("{name}: {wrong}")));
    }
    Ok((book.pages.len(), problems))
}

fn of_text(html: &str, name: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if html.len() > LARGEST && name != "print.html" {
        let size = html.len() / 1024;
        problems.push(format!("{name}: {size} KiB, the largest page has 300"));
    }
    if html.contains("{{#") {
        problems.push(format!("{name}: a `{{{{#` that mdBook did not resolve"));
    }
    problems
}

impl Book<'_> {
    fn problem(&self, name: &str, page: &Page, link: &Link) -> Option<String> {
        let Link { to, is_resource } = link;
        let scheme = to.split_once(':').map(|(scheme, _)| scheme);
        match scheme {
            Some("data") => return None,
            Some("http" | "https" | "mailto") if !is_resource => return None,
            _ if scheme.is_some() || to.starts_with("//") => {
                return Some(format!("`{to}` is somebody else's"));
            }
            _ => {}
        }
        let (path, fragment) = match to.split_once('#') {
            Some((path, fragment)) => (path, Some(fragment)),
            None => (to.as_str(), None),
        };
        let target = match (path, &page.base) {
            ("", _) => name.to_owned(),
            (path, Some(_)) => resolve("", path),
            (path, None) => resolve(name, path),
        };
        if !self.folder.join(&target).is_file() {
            return Some(format!("`{to}` leads to no file"));
        }
        let fragment = decode(fragment.filter(|fragment| !fragment.is_empty())?);
        let found = self.pages.get(&target)?.ids.contains(&fragment);
        (!found).then(|| format!("`{to}`: {target} has no `{fragment}`"))
    }
}

/// The file that a relative link on a page means.
fn resolve(page: &str, path: &str) -> String {
    let mut parts: Vec<_> = page.split('/').collect();
    parts.pop();
    let path = decode(path.split('?').next().unwrap_or_default());
    for part in path.trim_start_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if let Some(last) = parts.last_mut().filter(|last| last.is_empty()) {
        *last = "index.html";
    }
    parts.join("/")
}

/// `%E4` and the like.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match value.filter(|_| *first == b'%') {
            Some(value) => {
                bytes.push(value);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
