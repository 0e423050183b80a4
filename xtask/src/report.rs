//! What an instructor reads: a table and notes, CSV for a spreadsheet, JUnit XML for
//! other tools.

use crate::{grade::Report, judge::Cell, outcome::Test, state::State};
use anyhow::Result;
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use exercises::{course::Exercise, visible};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

/// How much of a note or a name is shown, in characters.
const LONGEST: usize = 400;

impl Report {
    /// The table, and notes if there are any.
    pub fn text(&self) -> String {
        let (table, notes) = (self.table(), self.notes());
        if notes.is_empty() {
            return table;
        }
        format!("{table}\n\nNotes\n  {}", notes.join("\n  "))
    }

    fn cells(&self) -> impl Iterator<Item = (&str, &'static Exercise, &Cell)> {
        self.rows.iter().flat_map(|(name, cells)| {
            let cells = self.exercises.iter().zip(cells);
            cells.map(|(exercise, cell)| (name.as_str(), *exercise, cell))
        })
    }

    /// The tests that passed of all, for each exercise; then the points. A state in
    /// place of the numbers is the reason why no test passed.
    fn table(&self) -> String {
        let mut table = Table::new();
        let numbers = self.exercises.iter().map(|exercise| exercise.number);
        table.load_preset(ASCII_MARKDOWN);
        table.set_header(["submission"].into_iter().chain(numbers).chain(["points"]));
        for (name, cells) in &self.rows {
            let mut row = vec![shown(name)];
            row.extend(cells.iter().map(|cell| {
                let numbers = format!("{}/{}", cell.passed(), cell.tests.len());
                match cell.state {
                    State::Graded => numbers,
                    state if cell.passed() == 0 => state.name().into(),
                    state => format!("{numbers}, {}", state.name()),
                }
            }));
            let pairs = cells.iter().zip(&self.exercises);
            let points: usize =
                pairs.map(|(cell, exercise)| cell.points(exercise)).sum();
            let all: usize =
                self.exercises.iter().map(|exercise| exercise.points()).sum();
            row.push(format!("{points}/{all}"));
            table.add_row(row);
        }
        table.to_string()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes =
            Vec::from_iter(self.warning.map(|text| format!("WARNING: {text}")));
        for (name, exercise, cell) in self.cells() {
            let state = match cell.state {
                State::Graded => String::new(),
                state => format!("{}: ", state.name()),
            };
            if !cell.notes.is_empty() {
                let text = shown(&cell.notes.join("; "));
                notes.push(format!(
                    "{} {}: {state}{text}",
                    shown(name),
                    exercise.number
                ));
            }
        }
        notes
    }

    pub fn csv(&self) -> Result<String> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record([
            "submission",
            "exercise",
            "passed",
            "tests",
            "points",
            "of",
            "state",
        ])?;
        for (name, exercise, cell) in self.cells() {
            csv.write_record([
                &not_a_formula(name),
                exercise.number,
                &cell.passed().to_string(),
                &cell.tests.len().to_string(),
                &cell.points(exercise).to_string(),
                &exercise.points().to_string(),
                cell.state.name(),
            ])?;
        }
        Ok(String::from_utf8(csv.into_inner()?)?)
    }

    /// A suite for each cell, a case for each test. A test that did not run to its end
    /// is an error.
    pub fn junit(&self) -> Result<String> {
        let mut report = quick_junit::Report::new("xtask grade");
        for (name, exercise, cell) in self.cells() {
            let suite_name =
                format!("{} {}", visible(name.as_bytes()), exercise.target);
            let mut suite = TestSuite::new(&*suite_name);
            for (test, result) in &cell.tests {
                let mut case = TestCase::new(&**test, status(cell, result));
                case.set_classname(&*suite_name);
                suite.add_test_case(case);
            }
            // One place for the reason, however many tests it costs.
            suite.set_system_out(cell.notes.join("\n"));
            report.add_test_suite(suite);
        }
        Ok(report.to_string()?)
    }
}

fn status(cell: &Cell, result: &Test) -> TestCaseStatus {
    let (kind, text) = match result {
        Test::Passed => return TestCaseStatus::success(),
        Test::Failed(text) => (NonSuccessKind::Failure, text.as_str()),
        Test::Lost => (NonSuccessKind::Error, cell.state.name()),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_description(text);
    status
}

/// One line, truncated to a readable length.
fn shown(text: &str) -> String {
    let shown = visible(text.as_bytes());
    match shown.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &shown[..at]),
        None => shown,
    }
}

/// A spreadsheet takes a text that begins with one of these signs for a formula.
fn not_a_formula(name: &str) -> String {
    let formula = name.starts_with(['=', '+', '-', '@', '\t']);
    format!("{}{}", if formula { "'" } else { "" }, visible(name.as_bytes()))
}

#[cfg(test)]
#[test]
fn names_and_notes_are_escaped_in_every_format() {
    use crate::state::Problem;
    use exercises::course::EXERCISES;

    let problem =
        Problem::new(State::Refused, format!("\u{1b}[2J{}", "a".repeat(1000)));
    let cell = Cell::without_tests(&["t1".to_owned()], problem);
    let rows = vec![("=a\n\u{1b}[31m,\"<".to_owned(), vec![cell])];
    let report = Report { exercises: vec![&EXERCISES[0]], rows, warning: None };
    let (text, csv) = (report.text(), report.csv().expect("CSV"));
    assert!(!text.contains('\u{1b}') && text.len() < 1000, "{text}");
    let row = "\"'=a\\n\\u{1b}[31m,\"\"<\",01,0,1,0,10,refused";
    assert_eq!(Some(row), csv.lines().nth(1));
    let junit = report.junit().expect("XML");
    assert!(!junit.contains('\u{1b}') && junit.contains("[31m,&quot;&lt;"), "{junit}");
}
