//! The expected value, the actual one, and the first difference.

use std::fmt;

/// Whether a rule holds.
pub type Verdict = Result<(), Failure>;

/// How a rule was broken. Boxed, to keep the results small.
#[derive(Debug)]
pub struct Failure(Box<Parts>);

#[derive(Debug)]
struct Parts {
    given: Option<String>,
    expected: Option<String>,
    got: String,
    /// The first difference: the number of characters of `got` before it, and its name.
    at: Option<(usize, String)>,
    likely: Option<String>,
}

impl Failure {
    /// `got`: the actual value, in one or more lines.
    pub fn new(got: impl Into<String>) -> Self {
        let (given, expected, at, likely) = (None, None, None, None);
        Self(Box::new(Parts { given, expected, got: got.into(), at, likely }))
    }

    /// The probable cause.
    pub fn because(mut self, cause: &str) -> Self {
        self.0.likely = Some(cause.into());
        self
    }

    fn expected(mut self, what: impl fmt::Display) -> Self {
        self.0.expected = Some(what.to_string());
        self
    }

    fn at(mut self, before: usize, name: String) -> Self {
        self.0.at = Some((before, name));
        self
    }
}

/// What a learner needs to understand a failure.
pub trait Explain {
    /// The input of the code.
    fn given(self, what: impl fmt::Display) -> Self;
    /// The probable cause.
    fn likely(self, cause: &str) -> Self;
}

impl<T> Explain for Result<T, Failure> {
    fn given(self, what: impl fmt::Display) -> Self {
        self.map_err(|mut failure| {
            failure.0.given = Some(what.to_string());
            failure
        })
    }

    fn likely(self, cause: &str) -> Self {
        self.map_err(|failure| failure.because(cause))
    }
}

/// Both must be the same value.
pub fn same<T: PartialEq + fmt::Debug>(expected: T, got: T) -> Verdict {
    if expected == got {
        return Ok(());
    }
    let (expected, got) = (format!("{expected:?}"), format!("{got:?}"));
    let before = common(expected.chars(), got.chars());
    let failure = Failure::new(got).expected(expected);
    Err(if before > 0 { failure.at(before, String::new()) } else { failure })
}

/// Both must be the same bytes. Line ends and bytes that are not text are escaped.
pub fn same_bytes(expected: impl AsRef<[u8]>, got: impl AsRef<[u8]>) -> Verdict {
    let (expected, got) = (expected.as_ref(), got.as_ref());
    if expected == got {
        return Ok(());
    }
    let byte = common(expected.iter(), got.iter());
    let before = visible(&got[..byte]).chars().count();
    let shown = if got.is_empty() { "nothing".into() } else { visible(got) };
    Err(Failure::new(shown)
        .expected(visible(expected))
        .at(before, format!("byte {byte}")))
}

/// The condition must hold. `expected` and `got` describe it.
pub fn holds(
    condition: bool,
    expected: impl fmt::Display,
    got: impl fmt::Debug,
) -> Verdict {
    let failure = || Failure::new(format!("{got:?}")).expected(expected);
    condition.then_some(()).ok_or_else(failure)
}

fn common<T: PartialEq>(
    one: impl Iterator<Item = T>,
    other: impl Iterator<Item = T>,
) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// Text for a person: invisible characters and bytes that are not text are escaped. A
/// separate implementation, because this crate judges the library's.
pub fn visible(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' | '\'' | '\\' => shown.push(character),
                other => shown.extend(other.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            shown.push_str(&format!("\\x{byte:02x}"));
        }
    }
    shown
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |label: &str, text: &str| {
            let mut label = label;
            for text in text.lines() {
                writeln!(f, "  {label:<10}{text}")?;
                label = "";
            }
            Ok(())
        };
        if let Some(given) = &self.0.given {
            line("given", given)?;
        }
        if let Some(expected) = &self.0.expected {
            line("expected", expected)?;
        }
        let got = self.0.got.as_str();
        line("got", if got.trim().is_empty() { "nothing" } else { got })?;
        if let Some((before, name)) = &self.0.at {
            line("", format!("{}^ {name}", " ".repeat(*before)).trim_end())?;
        }
        match &self.0.likely {
            Some(likely) => line("likely", likely),
            None => Ok(()),
        }
    }
}
