use super::*;

/// A client made of your two modules. The test acts as the server.
struct Client {
    state: State,
    pending: Pending<&'static str>,
    start: Instant,
    /// Frames and other events so far.
    log: String,
}

impl Client {
    fn new() -> Self {
        let (pending, start) = (Pending::default(), Instant::now());
        Self { state: New, pending, start, log: String::new() }
    }

    /// After the handshake, whose only request is number 1.
    fn ready() -> Result<Self, Failure> {
        let mut client = Self::new();
        client.sends(InitializeSent, "initialize", 10, 1)?;
        client
            .receives(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Some("initialize"))?;
        client.goes_to(InitializeAccepted, Initialized)?;
        client.goes_to(InitializedSent, Ready)?;
        Ok(client)
    }

    fn goes_to(&mut self, event: Event, after: State) -> Verdict {
        let _ = writeln!(self.log, "{event:?} in state {:?}", self.state);
        same(Ok(after), self.state.step(event))
            .given(&self.log)
            .likely("`step` of task 4.1 returned something else")?;
        self.state = after;
        Ok(())
    }

    /// Sends a request, due after `due` seconds, whose id must be `number`.
    fn sends(
        &mut self,
        event: Event,
        who: &'static str,
        due: u64,
        number: i128,
    ) -> Verdict {
        let after = if event == InitializeSent { Initializing } else { self.state };
        self.goes_to(event, after)?;
        let encoded = |id| {
            let (method, params) = (who.to_owned(), None);
            Message::Request(Request { id, method, params }).encode()
        };
        let sent = encoded(self.pending.open(self.start + seconds(due), who));
        let _ = writeln!(self.log, "[mcp:send]    {}", String::from_utf8_lossy(&sent));
        same_bytes(encoded(id(number)), sent)
            .given(&self.log)
            .likely("each request gets the next id, whatever happens in between")
    }

    /// Receives a response, which must reach this caller.
    fn receives(&mut self, frame: &str, caller: Option<&'static str>) -> Verdict {
        let _ = writeln!(self.log, "[mcp:receive] {frame}");
        let likely = match caller {
            Some(_) => "the last frame belongs to the pending request with its id",
            None => "no pending request has the id of the last frame",
        };
        same(caller, self.pending.take(&response_id(frame)?))
            .given(&self.log)
            .likely(likely)
    }

    fn waits_until(
        &mut self,
        second: u64,
        expired: &[(i128, &'static str)],
    ) -> Verdict {
        let _ = writeln!(self.log, "{second} s after the start");
        let expected: Vec<_> = expired.iter().map(|(n, who)| (id(*n), *who)).collect();
        same(expected, self.pending.expire(self.start + seconds(second)))
            .given(&self.log)
            .likely("exactly the pending requests whose deadline has passed expire")
    }
}

/// The same table as a list of deadlines and ids, which is searched completely.
#[derive(Default)]
struct List {
    last: i128,
    entries: Vec<(u64, i128)>,
}

impl List {
    fn remove(&mut self, removes: impl Fn(&(u64, i128)) -> bool) -> Vec<i128> {
        let (mut removed, left): (Vec<_>, _) =
            self.entries.iter().copied().partition(removes);
        self.entries = left;
        removed.sort();
        removed.into_iter().map(|(_, number)| number).collect()
    }
}

/// One step of both, chosen by `dice`, and written to `log`.
fn play(
    dice: u64,
    now: &mut u64,
    (list, pending): (&mut List, &mut Pending<i128>),
    (start, log): (Instant, &mut String),
) -> Verdict {
    let (kind, number) = (dice % 8, dice / 8 % 6);
    match kind {
        0..=3 => {
            let due = *now + number;
            let _ = writeln!(log, "a request, due after {due} s");
            list.last += 1;
            list.entries.push((due, list.last));
            same(id(list.last), pending.open(start + seconds(due), list.last))
        }
        4 | 5 => {
            let number = i128::from(number);
            let _ = writeln!(log, "the response {number}");
            same(list.remove(|(_, id)| *id == number).pop(), pending.take(&id(number)))
        }
        6 => {
            *now += number;
            let _ = writeln!(log, "{now} s after the start");
            let expected = list.remove(|(due, _)| due <= now);
            let expected: Vec<_> = expected.into_iter().map(|n| (id(n), n)).collect();
            same(expected, pending.expire(start + seconds(*now)))
        }
        _ => {
            let _ = writeln!(log, "the connection closes");
            same(list.remove(|_| true), pending.drain())
        }
    }
}

#[test]
fn all_callers_are_released() {
    judge("4.6", "when the connection closes, all callers are released", || {
        let (start, mut pending) = (Instant::now(), Pending::default());
        for (due, caller) in [(30, "c"), (10, "a"), (20, "b"), (20, "e")] {
            pending.open(start + seconds(due), caller);
        }
        pending.take(&id(2));
        let given =
            "requests 1 to 4, due after 30, 10, 20, 20 s; the response 2; closed";
        same(vec!["b", "e", "c"], pending.drain()).given(given).likely(
            "release every pending caller once, in the order of the deadlines",
        )?;
        let next = pending.next_deadline().map(|at| at - start);
        same((0, None), (pending.len(), next))
            .given("the number of pending requests after that, and the next deadline")
            .likely("remove both the entries and their deadlines")?;
        same(Vec::<&str>::new(), pending.drain())
            .given("closed again")
            .likely("each caller is released exactly once")
    });
}

#[test]
fn any_number_of_callers_is_released_at_once() {
    judge("4.6", "one call releases all callers, however many", || {
        let mut pending = many(2000, Instant::now());
        let released = pending.drain();
        let in_order = released.iter().copied().eq(1..=2000);
        holds(in_order, "callers 1 to 2000, in order", released.len())
            .given("2000 requests with one deadline: how many are released")
            .likely("a caller is missing, or the order is another one")
    });
}

#[test]
fn an_id_is_not_used_again_after_closing() {
    judge("4.6", "no id is used twice, even after the table is emptied", || {
        let start = Instant::now();
        let mut pending = three(start);
        pending.drain();
        same(None, pending.take(&id(1)))
            .given(format!("{THREE}; closed; the response 1"))
            .likely("each caller is released exactly once")?;
        same(id(4), pending.open(start, "caller 4"))
            .given(format!("{THREE}; closed; another request"))
            .likely("the whole table was replaced, including its last id")
    });
}

#[test]
fn a_conversation_with_responses_out_of_order() {
    judge("4.6", "each request has its own id, each response its own caller", || {
        let mut client = Client::ready()?;
        client.sends(Event::Request, "tools/list", 10, 2)?;
        client.sends(Event::Request, "tools/call", 10, 3)?;
        client.sends(Event::Request, "ping", 10, 4)?;
        client.receives(r#"{"jsonrpc":"2.0","id":4,"result":{}}"#, Some("ping"))?;
        let list = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#;
        client.receives(list, Some("tools/list"))?;
        let failed =
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}}"#;
        client.receives(failed, Some("tools/call"))?;
        client.sends(Event::Request, "tools/list", 10, 5)?;
        same(vec!["tools/list"], client.pending.drain())
            .given(client.log)
            .likely("all requests but the last one have a response")
    });
}

#[test]
fn a_conversation_with_a_late_and_a_missing_response() {
    judge("4.6", "a late response reaches no caller; the others continue", || {
        let mut client = Client::ready()?;
        client.sends(Event::Request, "slow", 5, 2)?;
        client.sends(Event::Request, "quick", 5, 3)?;
        client.sends(Event::Request, "never", 20, 4)?;
        client.receives(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, Some("quick"))?;
        client.waits_until(4, &[])?;
        client.waits_until(5, &[(2, "slow")])?;
        client.receives(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#, None)?;
        client.receives(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, None)?;
        client.receives(r#"{"jsonrpc":"2.0","id":"4","result":{}}"#, None)?;
        same(Some(id(4)), client.pending.numeric_equivalent(&string_id("4")))
            .given(&client.log)
            .likely("the last frame was meant for 4, which is still pending")?;
        client.sends(Event::Request, "again", 30, 5)?;
        client.waits_until(20, &[(4, "never")])?;
        client.receives(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#, Some("again"))?;
        same(Vec::<&str>::new(), client.pending.drain())
            .given(client.log)
            .likely("every request has had a response or a timeout")
    });
}

#[test]
fn a_conversation_that_closes_early() {
    judge("4.6", "when the connection closes, each caller is released once", || {
        let mut client = Client::ready()?;
        client.sends(Event::Request, "slow", 30, 2)?;
        client.sends(Event::Request, "quick", 10, 3)?;
        client.goes_to(Close, Closed)?;
        same(vec!["quick", "slow"], client.pending.drain())
            .given(&client.log)
            .likely("both are pending, and neither will get a response")?;
        client.receives(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#, None)?;
        client.waits_until(99, &[])?;
        is_rejected(Event::Request, &[client.state])
            .likely("the connection is closed")?;
        client.goes_to(Close, Closed)
    });
}

#[test]
fn any_sequence_of_events_gives_the_same_result_as_a_list() {
    judge("4.6", "in any sequence of events each entry is removed once", || {
        let start = Instant::now();
        let mut dice = 1_u64;
        let likely = "go through these events by hand, with a list on paper";
        for _ in 0..1000 {
            let (mut list, mut pending) = (List::default(), Pending::default());
            let (mut now, mut log) = (0, String::new());
            for _ in 0..8 {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (both, log_at) = ((&mut list, &mut pending), (start, &mut log));
                play(dice >> 33, &mut now, both, log_at).given(&log).likely(likely)?;
                let next = list.entries.iter().map(|(due, _)| seconds(*due)).min();
                let got = pending.next_deadline().map(|at| at - start);
                same((list.entries.len(), next), (pending.len(), got))
                    .given(format!(
                        "{log}the number of pending requests, and the next deadline"
                    ))
                    .likely(likely)?;
            }
        }
        Ok(())
    });
}
