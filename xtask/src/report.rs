//! What an instructor reads: a table and notes, CSV for a spreadsheet, JUnit XML for
//! other tools.

use crate::{grade::Report, outcome::Test, state::State};
use exercises::visible;
use mcp_check::report::junit::escaped;
use std::fmt::Write;

impl Report {
    /// The table, and notes if there are any.
    pub fn told(&self) -> String {
        let (table, notes) = (self.table(), self.notes());
        if notes.is_empty() { table } else { format!("{table}\nnotes\n{notes}") }
    }

    /// Passed and all tests by exercise, then the points. A word in place of numbers
    /// says why there are none.
    fn table(&self) -> String {
        let mut rows = vec![vec!["submission".to_owned()]];
        rows[0].extend(self.exercises.iter().map(|e| e.number.to_owned()));
        rows[0].push("points".into());
        for (name, cells) in &self.rows {
            let mut row = vec![shown(name)];
            let (mut points, mut all) = (0, 0);
            for (cell, exercise) in cells.iter().zip(&self.exercises) {
                points += cell.points(exercise);
                all += exercise.points();
                let numbers = format!("{}/{}", cell.passed(), cell.tests.len());
                row.push(match cell.state {
                    State::Judged => numbers,
                    state if cell.passed() == 0 => state.name().into(),
                    state => format!("{numbers}, {}", state.name()),
                });
            }
            row.push(format!("{points}/{all}"));
            rows.push(row);
        }
        aligned(&rows)
    }

    /// One line for each trouble, and for what this machine cannot enforce.
    fn notes(&self) -> String {
        let mut text = String::new();
        for line in &self.missing {
            let _ = writeln!(text, "  {line}");
        }
        for (name, cells) in &self.rows {
            for (cell, exercise) in cells.iter().zip(&self.exercises) {
                let state = match cell.state {
                    State::Judged => String::new(),
                    state => format!("{}: ", state.name()),
                };
                let said = cell.notes.join("; ");
                if !said.is_empty() {
                    let (name, said) = (shown(name), shown(&said));
                    let _ =
                        writeln!(text, "  {name} {}: {state}{said}", exercise.number);
                }
            }
        }
        text
    }

    pub fn csv(&self) -> String {
        let mut text =
            "submission,exercise,passed,tests,points,of,state\r\n".to_owned();
        for (name, cells) in &self.rows {
            for (cell, exercise) in cells.iter().zip(&self.exercises) {
                let _ = write!(
                    text,
                    "{},{},{},{},{},{},{}\r\n",
                    field(&visible(name.as_bytes())),
                    exercise.number,
                    cell.passed(),
                    cell.tests.len(),
                    cell.points(exercise),
                    exercise.points(),
                    cell.state.name(),
                );
            }
        }
        text
    }

    /// A suite for each cell, a case for each test. What was not judged is an error.
    pub fn junit(&self) -> String {
        let mut text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
        for (name, cells) in &self.rows {
            for (cell, exercise) in cells.iter().zip(&self.exercises) {
                let lost = cell.tests.values().filter(|t| **t == Test::Lost).count();
                let failed = cell.tests.len() - cell.passed() - lost;
                let suite = format!("{name} {}", exercise.target);
                let _ = writeln!(
                    text,
                    "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" \
                     errors=\"{lost}\">",
                    escaped(&suite),
                    cell.tests.len(),
                );
                // The reason is told once, however many tests it costs.
                let mut why =
                    format!("{}: {}", cell.state.name(), cell.notes.join("; "));
                for (test, result) in &cell.tests {
                    let (class, test) = (escaped(&suite), escaped(test));
                    let head =
                        format!("    <testcase classname=\"{class}\" name=\"{test}\"");
                    let _ = match result {
                        Test::Passed => writeln!(text, "{head}/>"),
                        Test::Failed(words) => writeln!(
                            text,
                            "{head}><failure>{}</failure></testcase>",
                            escaped(words)
                        ),
                        Test::Lost => {
                            let why =
                                std::mem::replace(&mut why, cell.state.name().into());
                            writeln!(
                                text,
                                "{head}><error>{}</error></testcase>",
                                escaped(&why)
                            )
                        }
                    };
                }
                text.push_str("  </testsuite>\n");
            }
        }
        text.push_str("</testsuites>\n");
        text
    }
}

/// One line, cut where it gets too long to read.
fn shown(text: &str) -> String {
    let shown = visible(text.as_bytes());
    match shown.char_indices().nth(400) {
        Some((at, _)) => format!("{}…", &shown[..at]),
        None => shown,
    }
}

fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate();
        let padded = cells.map(|(at, cell)| format!("{cell:<0$}", width(at)));
        let _ = writeln!(text, "{}", Vec::from_iter(padded).join("  ").trim_end());
    }
    text
}

/// A field of CSV (RFC 4180). A spreadsheet takes a text that begins with one of these
/// signs for a formula.
fn field(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t']) { "'" } else { "" };
    if text.contains([',', '"', '\r', '\n']) || !guard.is_empty() {
        return format!("\"{guard}{}\"", text.replace('"', "\"\""));
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::{field, shown};
    use crate::{grade::Report, judge::Cell, outcome::Test, state::State};
    use exercises::course::EXERCISES;

    fn refused(name: &str) -> Report {
        let tests = ["t1", "t2", "t3"].map(|test| (test.to_owned(), Test::Lost));
        let notes = vec!["src/a.rs:1: unsafe".to_owned()];
        let cell = Cell { tests: tests.into(), state: State::Refused, notes };
        let exercises = vec![&EXERCISES[0]];
        let rows = vec![(name.to_owned(), vec![cell])];
        Report { exercises, rows, missing: Vec::new() }
    }

    #[test]
    fn a_name_with_a_newline_is_one_line_of_csv() {
        let csv = refused("a\n\u{1b}[31mred").csv();
        let row = "a\\n\\u{1b}[31mred,01,0,3,0,10,refused";
        assert_eq!(Some(row), csv.lines().nth(1));
    }

    #[test]
    fn a_reason_stands_once_in_a_suite() {
        let junit = refused("a").junit();
        let reason = "<error>refused: src/a.rs:1: unsafe</error>";
        assert_eq!(1, junit.matches(reason).count(), "{junit}");
        assert_eq!(2, junit.matches("<error>refused</error>").count(), "{junit}");
    }

    #[test]
    fn a_field_of_csv_is_quoted_where_it_must_be_and_is_no_formula() {
        assert_eq!("a b", field("a b"));
        assert_eq!("\"a,\"\"b\"\"\"", field("a,\"b\""));
        assert_eq!("\"'=1+1\"", field("=1+1"));
    }

    #[test]
    fn what_a_submission_says_is_one_short_line() {
        assert_eq!("\\u{1b}[2J\\n", shown("\u{1b}[2J\n"));
        assert_eq!(401, shown(&"a".repeat(1000)).chars().count());
    }
}
