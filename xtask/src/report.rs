//! What an instructor reads: a table and notes, CSV for a spreadsheet, JUnit XML for
//! other tools.

use crate::{
    grade::Report,
    judge::{Cell, GRADED},
    outcome::Test,
};
use anyhow::Result;
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use exercises::{course::Exercise, visible};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

impl Report {
    /// The table, and notes if there are any.
    pub fn text(&self) -> String {
        let mut notes =
            Vec::from_iter(self.warning.map(|text| format!("WARNING: {text}")));
        for (name, exercise, cell) in
            self.cells().filter(|(.., cell)| !cell.notes.is_empty())
        {
            let (name, text) = (shown(name), shown(&cell.notes.join("; ")));
            notes.push(format!("{name} {}: {text}", exercise.number));
        }
        let head = if notes.is_empty() { "" } else { "\n\nNotes\n  " };
        format!("{}{head}{}", self.table(), notes.join("\n  "))
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
                    GRADED => numbers,
                    state if cell.passed() == 0 => state.into(),
                    state => format!("{numbers}, {state}"),
                }
            }));
            let pairs = cells.iter().zip(&self.exercises);
            let points: usize = pairs.map(|(cell, e)| cell.points(e)).sum();
            let all: usize = self.exercises.iter().map(|e| e.points()).sum();
            row.push(format!("{points}/{all}"));
            table.add_row(row);
        }
        table.to_string()
    }

    pub fn csv(&self) -> Result<String> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let header = "submission exercise passed tests points of state";
        csv.write_record(header.split(' '))?;
        for (name, exercise, cell) in self.cells() {
            csv.serialize((
                not_a_formula(name),
                exercise.number,
                cell.passed(),
                cell.tests.len(),
                cell.points(exercise),
                exercise.points(),
                cell.state,
            ))?;
        }
        Ok(String::from_utf8(csv.into_inner()?)?)
    }

    /// A suite for each cell, a case for each test. A test that did not run to its end
    /// is an error.
    pub fn junit(&self) -> Result<String> {
        let mut report = quick_junit::Report::new("xtask grade");
        for (name, exercise, cell) in self.cells() {
            let suite_name = format!("{} {}", shown(name), exercise.target);
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
        Test::Lost => (NonSuccessKind::Error, cell.state),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_description(text);
    status
}

fn shown(text: &str) -> String {
    visible(text.as_bytes())
}

/// A spreadsheet takes a text that begins with one of these signs for a formula.
fn not_a_formula(name: &str) -> String {
    let formula = name.starts_with(['=', '+', '-', '@', '\t']);
    format!("{}{}", if formula { "'" } else { "" }, shown(name))
}
