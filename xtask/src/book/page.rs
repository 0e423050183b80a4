//! The parts of a page that the checks need.

use html5gum::{StartTag, Token, Tokenizer, emitters::default::DefaultEmitter};
use std::collections::HashSet;

#[derive(Debug, Default)]
pub struct Page {
    /// The targets of fragments.
    pub ids: HashSet<String>,
    pub links: Vec<Link>,
    /// The start of relative links, if the page has one: mdBook's page for 404 does.
    pub base: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    pub to: String,
    /// The browser fetches it without a click.
    pub is_resource: bool,
}

pub fn read(html: &str) -> Page {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true); // a script's text is not markup
    let mut page = Page::default();
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        if let Token::StartTag(tag) = token {
            page.add(&tag);
        }
    }
    page
}

impl Page {
    fn add(&mut self, tag: &StartTag<()>) {
        let attribute = |name: &[u8]| {
            let value = tag.attributes.get(name)?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        self.ids.extend(attribute(b"id"));
        let (to, is_resource) = match &tag.name[..] {
            b"base" => {
                self.base = attribute(b"href");
                return;
            }
            b"a" => {
                self.ids.extend(attribute(b"name"));
                (attribute(b"href"), false)
            }
            b"link" | b"use" | b"image" => (attribute(b"href"), true),
            _ => (attribute(b"src"), true),
        };
        self.links.extend(to.map(|to| Link { to, is_resource }));
    }
}
