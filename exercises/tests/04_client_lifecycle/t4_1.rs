use super::*;

const STATES: [State; 5] = [New, Initializing, Initialized, Ready, Closed];

const EVENTS: [Event; 6] = [
    InitializeSent,
    InitializeAccepted,
    InitializeFailed,
    InitializedSent,
    Event::Request,
    Close,
];

/// `event` in `state` leads to `after`.
fn leads(state: State, event: Event, after: State) -> Verdict {
    same(Ok(after), state.step(event)).given(format!("{event:?} in state {state:?}"))
}

#[test]
fn a_handshake_leads_from_new_to_ready() {
    judge("4.1", "after initialize, its response and initialized: ready", || {
        let likely = "each of the three events leads one state further";
        leads(New, InitializeSent, Initializing).likely(likely)?;
        leads(Initializing, InitializeAccepted, Initialized).likely(likely)?;
        leads(Initialized, InitializedSent, Ready).likely(likely)?;
        let likely = "a request changes no state, and many may follow one another";
        leads(Ready, Event::Request, Ready).likely(likely)
    });
}

#[test]
fn no_tool_before_the_handshake_is_done() {
    judge("4.1", "tools and ping wait until the state is ready", || {
        let likely = "the server does not know yet that the handshake is done; it may \
                      serve the call, refuse it or crash";
        refused(Event::Request, &[New, Initializing, Initialized]).likely(likely)
    });
}

#[test]
fn initialized_waits_for_the_response() {
    judge("4.1", "initialized is sent once, after the response to initialize", || {
        refused(InitializedSent, &[New, Initializing]).likely(
            "it was sent before the response: the negotiated revision is not known yet",
        )?;
        refused(InitializedSent, &[Ready]).likely("it was sent already")
    });
}

#[test]
fn one_initialize_at_a_time_and_none_after_its_response() {
    judge("4.1", "initialize is not doubled", || {
        refused(InitializeSent, &[Initializing])
            .likely("one is in flight, so a second must wait until it has failed")?;
        refused(InitializeSent, &[Initialized, Ready])
            .likely("the handshake begins once in a connection's life")
    });
}

#[test]
fn a_failed_initialize_may_be_tried_again() {
    judge("4.1", "after a failed initialize the state is new again", || {
        leads(Initializing, InitializeFailed, New).likely(
            "a failure was treated as the end; nothing is negotiated, so the state is \
             new",
        )?;
        leads(New, InitializeSent, Initializing)
    });
}

#[test]
fn only_an_initialize_in_flight_succeeds_or_fails() {
    judge("4.1", "a response to initialize counts only while it is in flight", || {
        let likely = "it belongs to no initialize that is waited for: the state stays";
        for event in [InitializeAccepted, InitializeFailed] {
            refused(event, &[New, Initialized, Ready]).likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn closing_is_allowed_in_every_state_even_twice() {
    judge("4.1", "closing is allowed in every state, also twice", || {
        for state in STATES {
            leads(state, Close, Closed).likely(
                "a caller that gives up does not know the state, and must be able to \
                 close",
            )?;
        }
        Ok(())
    });
}

#[test]
fn closed_is_the_end() {
    judge("4.1", "in the state closed all but closing is refused", || {
        for event in EVENTS.into_iter().filter(|event| *event != Close) {
            refused(event, &[Closed])
                .likely("the connection is closed; a new one has its own state")?;
        }
        Ok(())
    });
}
