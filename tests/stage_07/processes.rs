//! The failure that no frame shows.

use crate::parts;

#[cfg(unix)]
#[test]
fn the_server_outlives_its_wrapper_and_not_its_process_group() {
    let (wrong, right) = parts::of("orphan-child");
    for half in [&wrong, &right] {
        assert!(half.answer(1).expect("an answer")["result"].is_object(), "it served");
    }
    assert_eq!(["STILL RUNS"], wrong.after("· the server behind it ")[..]);
    assert_eq!(["is gone"], right.after("· the server behind it ")[..]);
    let end = right.after("· the wrapper ended with signal: ");
    assert_eq!(["15 (SIGTERM)"], end[..], "its end of input was not enough");
}
