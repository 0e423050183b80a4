//! The six exercises and their tasks: the list from which the stubs, the messages of
//! failed tests, the book and the points are made.

mod agent;
mod bridge;
mod client;
mod frames;
mod jsonrpc;
mod server;

/// The exercise of one stage.
#[derive(Debug)]
pub struct Exercise {
    /// Two digits, as in the stage's name.
    pub number: &'static str,
    /// What the learner builds.
    pub title: &'static str,
    /// The test target.
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
    /// What the learner does.
    pub title: &'static str,
    /// The heading in the chapter that explains it.
    pub section: &'static str,
    /// What the learner writes: a module under `src/`, and in it a region between two
    /// `ANCHOR` marks.
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

    /// Whether a module has a task; the others are given.
    pub fn asks_for(&self, module: &str) -> bool {
        let mut regions = self.tasks.iter().flat_map(|task| task.regions);
        regions.any(|(place, _)| *place == module)
    }

    /// Its points, in a course that gives points.
    pub fn points(&self) -> usize {
        10
    }

    /// The page of hints, from the repository's root.
    pub fn hints(&self) -> String {
        format!("book/src/exercises/{}.md", self.target.replace('_', "-"))
    }

    /// The file with the brief, from the repository's root.
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
