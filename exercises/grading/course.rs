//! The six exercises and their tasks: the one list that the stubs, the failing tests,
//! the book and the points are made from.

mod agent;
mod bridge;
mod client;
mod frames;
mod jsonrpc;
mod server;

/// One stage's work.
#[derive(Debug)]
pub struct Exercise {
    /// Two digits, as in the stage's name.
    pub number: &'static str,
    /// What is built.
    pub title: &'static str,
    /// The test target, and the stage's name.
    pub target: &'static str,
    /// The modules under `src/`, of the course and of the learner alike. Those without
    /// a task are given.
    pub modules: &'static [&'static str],
    pub tasks: &'static [Task],
}

/// A few functions to write.
#[derive(Debug)]
pub struct Task {
    /// `1.2`: the second task of exercise 1.
    pub number: &'static str,
    /// What to do.
    pub title: &'static str,
    /// The heading in the chapter that explains it.
    pub section: &'static str,
    /// What is to be written: a module under `src/`, and a region between two `ANCHOR`
    /// marks in it.
    pub regions: &'static [(&'static str, &'static str)],
}

impl Exercise {
    /// The exercise `02`, or `2`, or `02_frames`.
    pub fn find(name: &str) -> Option<&'static Exercise> {
        EXERCISES.iter().find(|exercise| {
            exercise.target == name
                || exercise.number == name
                || exercise.number.trim_start_matches('0') == name
        })
    }

    /// Whether a module holds a task; the others are given.
    pub fn asks_for(&self, module: &str) -> bool {
        let mut regions = self.tasks.iter().flat_map(|task| task.regions);
        regions.any(|(place, _)| *place == module)
    }

    /// What it is worth, in a course that gives points.
    pub fn points(&self) -> usize {
        10
    }

    /// Where the hints are, from the repository's root.
    pub fn hints(&self) -> String {
        format!("book/src/exercises/{}.md", self.target.replace('_', "-"))
    }

    /// Where the brief is, from the repository's root.
    pub fn brief(&self) -> String {
        format!("exercises/tests/{}/main.rs", self.target)
    }
}

impl Task {
    pub fn find(number: &str) -> Option<(&'static Exercise, &'static Task)> {
        EXERCISES.iter().find_map(|exercise| {
            let task = exercise.tasks.iter().find(|task| task.number == number)?;
            Some((exercise, task))
        })
    }
}

pub const EXERCISES: &[Exercise] = &[
    jsonrpc::EXERCISE,
    frames::EXERCISE,
    server::EXERCISE,
    client::EXERCISE,
    bridge::EXERCISE,
    agent::EXERCISE,
];
