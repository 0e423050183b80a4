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
    judge(
        "4.1",
        "initialize, its response, initialized: then the state is ready",
        || {
            let likely = "each of the three events leads to the next state";
            leads(New, InitializeSent, Initializing).likely(likely)?;
            leads(Initializing, InitializeAccepted, Initialized).likely(likely)?;
            leads(Initialized, InitializedSent, Ready).likely(likely)?;
            let likely =
                "a request does not change the state; many may follow one another";
            leads(Ready, Event::Request, Ready).likely(likely)
        },
    );
}

#[test]
fn no_tool_before_the_handshake_is_done() {
    judge("4.1", "requests are allowed only in the state ready", || {
        let likely = "the server has not received `initialized`; it may reject the \
                      call, or fail";
        is_rejected(Event::Request, &[New, Initializing, Initialized]).likely(likely)
    });
}

#[test]
fn initialized_is_sent_after_the_response() {
    judge("4.1", "initialized is sent once, after the response to initialize", || {
        is_rejected(InitializedSent, &[New, Initializing])
            .likely("it was sent before the response: no revision is negotiated yet")?;
        is_rejected(InitializedSent, &[Ready]).likely("it has already been sent")
    });
}

#[test]
fn only_one_initialize_at_a_time_and_none_after_its_response() {
    judge("4.1", "initialize is not sent twice", || {
        is_rejected(InitializeSent, &[Initializing])
            .likely("one is pending; a second one is allowed only after it failed")?;
        is_rejected(InitializeSent, &[Initialized, Ready])
            .likely("a connection has only one handshake")
    });
}

#[test]
fn a_failed_initialize_may_be_tried_again() {
    judge("4.1", "after a failed initialize the state is new again", || {
        leads(Initializing, InitializeFailed, New).likely(
            "a failed `initialize` does not close the connection: start again",
        )?;
        leads(New, InitializeSent, Initializing)
    });
}

#[test]
fn only_a_pending_initialize_succeeds_or_fails() {
    judge("4.1", "an initialize succeeds or fails only while it is pending", || {
        let likely = "no `initialize` is pending, so the state does not change";
        for event in [InitializeAccepted, InitializeFailed] {
            is_rejected(event, &[New, Initialized, Ready]).likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn closing_is_allowed_in_every_state() {
    judge("4.1", "closing is allowed in every state, even twice", || {
        for state in STATES {
            leads(state, Close, Closed).likely(
                "a caller must be able to close a connection without knowing its state",
            )?;
        }
        Ok(())
    });
}

#[test]
fn closed_is_the_end() {
    judge("4.1", "in the state closed every event but closing is rejected", || {
        for event in EVENTS.into_iter().filter(|event| *event != Close) {
            is_rejected(event, &[Closed]).likely(
                "a closed connection stays closed; a new one has a new state",
            )?;
        }
        Ok(())
    });
}
