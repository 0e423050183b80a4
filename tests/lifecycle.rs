//! The life cycle: every state with every event.

use mcp_from_scratch::lifecycle::{
    Event::{self, *},
    InvalidTransition,
    State::{self, *},
};

const STATES: [State; 5] = [New, Initializing, Initialized, Ready, Closed];

/// The whole table, a column for each of [`STATES`]. `None`: refused.
const TABLE: [(Event, [Option<State>; 5]); 7] = [
    (InitializeSent, [Some(Initializing), None, None, None, None]),
    (InitializeAccepted, [None, Some(Initialized), None, None, None]),
    (InitializeFailed, [None, Some(New), None, None, None]),
    (InitializedSent, [None, None, Some(Ready), None, None]),
    (ToolRequest, [None, None, None, Some(Ready), None]),
    (Ping, [None, None, None, Some(Ready), None]),
    (Close, [Some(Closed); 5]),
];

#[test]
fn every_event_leads_where_the_table_says_or_is_refused() {
    for (event, after) in TABLE {
        for (state, after) in STATES.into_iter().zip(after) {
            let expected = after.ok_or(InvalidTransition(state, event));
            assert_eq!(expected, state.step(event), "{state:?}, {event:?}");
        }
    }
}

#[test]
fn a_whole_life_goes_through_all_states() {
    let steps = [InitializeSent, InitializeAccepted, InitializedSent, ToolRequest];
    let mut state = New;
    for event in steps {
        state = state.step(event).expect("the usual order");
    }
    assert_eq!(Ready, state);
    assert_eq!(Ok(Closed), state.step(Close));
}

#[test]
fn a_failed_initialize_may_be_tried_again() {
    let state = New.step(InitializeSent).and_then(|s| s.step(InitializeFailed));
    assert_eq!(Ok(Initializing), state.and_then(|s| s.step(InitializeSent)));
}

/// `initializing` is ours: the protocol knows four states.
#[test]
fn a_state_prints_as_the_course_calls_it() {
    let names = STATES.map(|state| state.to_string());
    assert_eq!(
        ["new", "new", "initialized", "ready", "closed"],
        names.each_ref().map(String::as_str)
    );
    assert_eq!("ready      |", format!("{Ready:<11}|"));
}

#[test]
fn a_refusal_names_the_event_the_state_and_what_to_do() {
    let first = "call initialize first";
    let cases = [
        (New, ToolRequest, "a tool request", "new", first),
        (New, Ping, "ping", "new", first),
        (New, InitializedSent, "the initialized notification", "new", first),
        (Initializing, InitializeSent, "initialize", "new", "initialize is on its way"),
        (
            Initialized,
            ToolRequest,
            "a tool request",
            "initialized",
            "send the initialized notification first",
        ),
        (Ready, InitializeSent, "initialize", "ready", "the handshake is done"),
        (
            Ready,
            InitializeAccepted,
            "an answer to initialize",
            "ready",
            "the handshake is done",
        ),
        (
            Closed,
            InitializeFailed,
            "a failed initialize",
            "closed",
            "the connection is over",
        ),
    ];
    for (state, event, what, shown, hint) in cases {
        let refused = state.step(event).expect_err("a refusal");
        let expected = format!("{what} is not allowed in state `{shown}`: {hint}");
        assert_eq!(expected, refused.to_string());
    }
}

#[test]
fn closing_has_a_name_too() {
    assert_eq!("closing", Close.to_string());
}
