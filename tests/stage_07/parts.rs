//! The two halves of what a failure prints, and what can be read off them.

use crate::{stage, wire::Printed, wire::run};
use serde_json::Value;

/// What went wrong, and the right way, which begins with the line of the cause.
#[track_caller]
pub fn of(failure: &str) -> (Printed, Printed) {
    let printed = run(&mut stage(failure));
    assert_eq!((Some(0), ""), (printed.code, &*printed.stderr), "{failure}");
    halves(&printed.stdout)
}

#[track_caller]
pub fn halves(printed: &str) -> (Printed, Printed) {
    let parts: Vec<_> = printed.split("  = 原因 / cause: ").collect();
    let [wrong, right] = parts[..] else { panic!("one cause: {printed}") };
    (half(wrong), half(right))
}

pub fn half(text: &str) -> Printed {
    Printed { stdout: text.into(), stderr: String::new(), code: None }
}

impl Printed {
    /// The parts that begin with `✗` or `✓`.
    pub fn sections(&self) -> Vec<Printed> {
        self.stdout.split(['✗', '✓']).skip(1).map(half).collect()
    }

    /// What follows `start` on each line that begins so.
    pub fn after(&self, start: &str) -> Vec<&str> {
        let lines = self.stdout.lines().map(str::trim_start);
        lines.filter_map(|line| line.strip_prefix(start)).collect()
    }

    /// The frames that were sent.
    pub fn sent(&self) -> Vec<Value> {
        self.frames().into_iter().filter_map(|(sent, f)| sent.then_some(f)).collect()
    }

    /// The frames that were received.
    pub fn received(&self) -> Vec<Value> {
        self.frames().into_iter().filter_map(|(sent, f)| (!sent).then_some(f)).collect()
    }

    /// The answer to the request with this id, of which there is none or one.
    #[track_caller]
    pub fn answer(&self, id: i64) -> Option<Value> {
        let mut answers: Vec<_> =
            self.received().into_iter().filter(|frame| frame["id"] == id).collect();
        assert!(answers.len() < 2, "{answers:?}");
        answers.pop()
    }

    /// The ids of the requests of one method.
    pub fn ids(&self, method: &str) -> Vec<i64> {
        let sent = self.sent().into_iter().filter(|frame| frame["method"] == method);
        sent.filter_map(|frame| frame["id"].as_i64()).collect()
    }
}

/// The code of an error answer; 0 for a result.
pub fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_default()
}

/// The text that a tool gave.
#[track_caller]
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().expect("a text")
}
