//! The checks of every page.

use super::page::{self, Link, Page};
use crate::files;
use anyhow::Result;
use std::{collections::BTreeMap, path::Path};

/// The size limit of a page, in bytes. `print.html`, all pages in one, is exempt.
const LARGEST: usize = 300 * 1024;

struct Book<'a> {
    folder: &'a Path,
    pages: BTreeMap<String, Page>,
}

/// The number of pages, and all their problems, one line each.
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
        let wrong = page.links.iter().filter_map(|link| book.problem(name, page, link));
        problems.extend(wrong.map(|wrong| format!("{name}: {wrong}")));
    }
    Ok((book.pages.len(), problems))
}

fn of_text(html: &str, name: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if html.len() > LARGEST && name != "print.html" {
        let size = html.len() / 1024;
        problems.push(format!("{name}: {size} KiB, the largest allowed page has 300"));
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
                return Some(format!("`{to}` is on another site"));
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

/// The target file of a relative link on a page.
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

/// Resolves percent-encoding, such as `%E4`.
fn decode(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = Vec::from(parts.next().unwrap_or_default());
    for part in parts {
        let byte = part.get(..2).and_then(|two| u8::from_str_radix(two, 16).ok());
        match byte {
            Some(byte) => bytes.extend([&[byte], &part.as_bytes()[2..]].concat()),
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
