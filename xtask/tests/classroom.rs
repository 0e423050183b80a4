//! The points of GitHub Classroom are those of the course.

mod common;

use common::{read, root};
use exercises::course::EXERCISES;

/// The values of a key, in the order of the file.
fn values<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let start = format!("{key}: ");
    let lines = text.lines().map(|line| line.trim().trim_start_matches("- "));
    lines.filter_map(|line| line.strip_prefix(&*start)).collect()
}

#[test]
fn each_exercise_is_a_step_with_its_target_and_its_points() {
    let text = read(root().join("exercises/classroom/classroom.yml"));
    let of = |line: &dyn Fn(&exercises::course::Exercise) -> String| {
        Vec::from_iter(EXERCISES.iter().map(line))
    };
    let ids = of(&|e| format!("exercise-{}", e.number));
    assert_eq!(ids, values(&text, "id"));
    assert_eq!(
        of(&|e| format!("cargo test --test {}", e.target)),
        values(&text, "command")
    );
    assert_eq!(of(&|e| e.points().to_string()), values(&text, "max-score"));
    assert_eq!([ids.join(",")], values(&text, "runners")[..]);
    for id in ids {
        let result = format!("\"${{{{steps.{id}.outputs.result}}}}\"");
        let name = format!("{}_RESULTS", id.to_uppercase());
        assert_eq!([&*result], values(&text, &name)[..], "{name}");
    }
}
