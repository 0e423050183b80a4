//! What a module of a submission may not say: it would hand in the course's own
//! library, or leave the pure world of values that the exercises live in.
//!
//! The module is read as tokens, so comments, strings and names such as a method
//! `process` or a variable `path` do not matter. This is the first of two fences; the
//! other one is `jail.rs`.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::{
    collections::{BTreeSet, HashSet},
    str::FromStr,
};

mod words;

use words::of_word;

/// One thing found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub line: usize,
    pub what: String,
}

/// The tokens of a module; or where it is no Rust, and why.
pub fn tokens_of(text: &str) -> Result<Vec<Token>, Finding> {
    // The compiler drops a line `#!/…`; what reads tokens here would not.
    if text.trim_start_matches('\u{feff}').starts_with("#!")
        && !text.trim_start_matches('\u{feff}')[2..].starts_with('[')
    {
        return Err(Finding { line: 1, what: "a line that begins with #!".into() });
    }
    match TokenStream::from_str(text) {
        Ok(stream) => Ok(flat(stream)),
        Err(error) => {
            let line = error.span().start().line;
            Err(Finding { line, what: error.to_string() })
        }
    }
}

/// A word, a sign, a literal or a bracket; `::` is one sign.
#[derive(Debug)]
pub struct Token {
    text: String,
    line: usize,
    is_word: bool,
    /// Where the attribute begins that it stands in.
    attribute: Option<usize>,
    /// Of an open bracket: where it is closed.
    close: usize,
}

/// All tokens in a row. A stack in place of recursion: a submission may nest as deep as
/// it likes.
fn flat(stream: TokenStream) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut open = vec![(stream.into_iter(), None::<(&str, usize, usize)>, None)];
    while let Some((inner, close, attribute)) = open.last_mut() {
        let attribute = *attribute;
        let mut push = |text: String, line, is_word| {
            tokens.push(Token { text, line, is_word, attribute, close: 0 });
        };
        match inner.next() {
            None => {
                if let Some((close, line, start)) = *close {
                    push(close.into(), line, false);
                    tokens[start].close = tokens.len() - 1;
                }
                open.pop();
            }
            Some(TokenTree::Ident(word)) => {
                let line = word.span().start().line;
                push(word.to_string().trim_start_matches("r#").into(), line, true);
            }
            Some(TokenTree::Literal(literal)) => {
                push(literal.to_string(), literal.span().start().line, false);
            }
            Some(TokenTree::Punct(sign)) => {
                let line = sign.span().start().line;
                let joint = sign.spacing() == Spacing::Joint;
                push(sign.as_char().to_string(), line, false);
                if joint && sign.as_char() == ':' {
                    // The second colon follows at once.
                    if let Some(last) = tokens.last_mut() {
                        last.text = "::".into();
                    }
                    open.last_mut().and_then(|(inner, ..)| inner.next());
                }
            }
            Some(TokenTree::Group(group)) => {
                let (start, end) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                push(start.into(), group.span_open().start().line, false);
                let at = tokens.len() - 1;
                let before = |n: usize| at.checked_sub(n).map(|at| &*tokens[at].text);
                let begins = before(1) == Some("#")
                    || (before(1) == Some("!") && before(2) == Some("#"));
                let inside = if start == "[" && begins { Some(at) } else { attribute };
                let line = group.span_close().start().line;
                open.push((group.stream().into_iter(), Some((end, line, at)), inside));
            }
        }
    }
    tokens
}

/// Everything in a module that is not for an exercise.
pub fn findings(tokens: &[Token]) -> BTreeSet<Finding> {
    let serdes = tokens.iter().filter(|token| token.is_word && token.text == "serde");
    let serdes = serdes.filter_map(|token| token.attribute).collect();
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let whats = match token.is_word {
            true => of_word(tokens, at),
            false => of_sign(tokens, at, &serdes),
        };
        found.extend(whats.into_iter().map(|what| Finding { line: token.line, what }));
    }
    found
}

fn text(tokens: &[Token], at: Option<usize>) -> &str {
    at.and_then(|at| tokens.get(at)).map_or("", |token| &token.text)
}

/// serde reads paths from strings in its attributes, which begin at `serdes`.
fn of_sign(tokens: &[Token], at: usize, serdes: &HashSet<usize>) -> Vec<String> {
    let Token { text: sign, attribute, .. } = &tokens[at];
    if sign == "$" && words::is_trait_of_an_impl(tokens, at) {
        return vec!["an impl of a trait that is handed in".into()];
    }
    let Some(start) = *attribute else { return Vec::new() };
    if sign == "$" && start + 1 == at {
        return vec!["an attribute made by a macro".into()];
    }
    if !serdes.contains(&start) {
        return Vec::new();
    }
    if sign == "$" || (sign.contains('"') && sign.contains('\\')) {
        return vec!["a path in #[serde] that cannot be read".into()];
    }
    let Some((_, string)) = sign.split_once('"') else { return Vec::new() };
    let path = string.trim_end_matches('#').trim_end_matches('"');
    let Ok(stream) = TokenStream::from_str(path) else { return Vec::new() };
    let tokens = flat(stream);
    let words = (0..tokens.len()).filter(|at| tokens[*at].is_word);
    words.flat_map(|at| of_word(&tokens, at)).collect()
}

#[cfg(test)]
mod tests;
