//! What each end knows after each piece: the client's state by the course's own table,
//! the server's gate, the requests in flight.

use super::{
    cut::{Passed, Piece},
    relay::Side,
};
use mcp_from_scratch::{
    jsonrpc::{Id, Message, Response, parse},
    lifecycle::{Event, State},
    protocol::{method, supported},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One step of a recording: what passed, and how things stand once it has arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    #[serde(flatten)]
    pub passed: Passed,
    /// `new`, `initialized`, `ready`, `closed`.
    pub client: String,
    /// Whether tools are served: `gate closed`, `2025-06-18 agreed`, `gate open`,
    /// `ended`.
    pub server: String,
    /// The ids of requests without an answer, in the order in which they went out.
    pub pending: Vec<Value>,
}

struct Ends {
    client: State,
    agreed: Option<String>,
    open: bool,
    ended: bool,
    pending: Vec<(Id, String)>,
}

pub fn follow(passed: Vec<Passed>) -> Vec<Step> {
    let mut ends = Ends {
        client: State::New,
        agreed: None,
        open: false,
        ended: false,
        pending: Vec::new(),
    };
    let step = |passed: Passed| {
        ends.after(&passed);
        let client = ends.client.to_string();
        let pending = ends.pending.iter().map(|(id, _)| to_json(id)).collect();
        Step { client, server: ends.server(), pending, passed }
    };
    passed.into_iter().map(step).collect()
}

fn to_json(id: &Id) -> Value {
    match id {
        Id::Integer(number) => Value::from(i64::try_from(*number).unwrap_or_default()),
        Id::String(text) => Value::from(text.as_str()),
    }
}

impl Ends {
    fn server(&self) -> String {
        match &self.agreed {
            _ if self.ended => "ended".into(),
            _ if self.open => "gate open".into(),
            Some(version) => format!("{version} agreed"),
            None => "gate closed".into(),
        }
    }

    fn after(&mut self, passed: &Passed) {
        match (&passed.what, passed.from) {
            (Piece::Frame { body, .. }, side) => match (parse(body.as_bytes()), side) {
                (Ok(message), Side::Client) => self.client_says(message),
                (Ok(Message::Response(answer)), Side::Server) => self.answered(&answer),
                _ => {}
            },
            (Piece::Event { .. }, Side::Client) => self.happens(Event::Close),
            (Piece::Event { .. }, Side::Server) => self.ended = true,
            (Piece::Noise { .. }, _) => {}
        }
    }

    /// A client that breaks the rules stays where it is: that is how the table has it.
    fn happens(&mut self, event: Event) {
        self.client = self.client.step(event).unwrap_or(self.client);
    }

    fn client_says(&mut self, message: Message) {
        match message {
            Message::Request(request) => {
                match request.method.as_str() {
                    method::INITIALIZE => self.happens(Event::InitializeSent),
                    _ => self.happens(Event::Request),
                }
                self.pending.push((request.id, request.method));
            }
            Message::Notification(notification) => {
                if notification.method == method::INITIALIZED {
                    self.happens(Event::InitializedSent);
                    self.open |= self.agreed.is_some();
                }
            }
            Message::Response(_) => {}
        }
    }

    fn answered(&mut self, answer: &Response) {
        let asked =
            self.pending.iter().position(|(id, _)| Some(id) == answer.id.as_ref());
        let Some((_, asked)) = asked.map(|at| self.pending.remove(at)) else { return };
        if asked != method::INITIALIZE {
            return;
        }
        let result = answer.result.as_ref().ok();
        let version = result.and_then(|result| result["protocolVersion"].as_str());
        self.agreed = version.map(str::to_owned);
        self.happens(match version.and_then(supported) {
            Some(_) => Event::InitializeAccepted,
            None => Event::InitializeFailed,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(pieces: &[(Side, &str)]) -> (String, String, Vec<Value>) {
        let passed = pieces.iter().map(|(from, body)| {
            let what = match *body {
                "end" => Piece::Event { event: "end of output".into() },
                body => Piece::Frame {
                    offset: 0,
                    header: String::new(),
                    body: body.into(),
                    end: "\n".into(),
                },
            };
            Passed { from: *from, ms: 0, what }
        });
        let mut steps = follow(passed.collect());
        let last = steps.pop().expect("there is a step");
        (last.client, last.server, last.pending)
    }

    use Side::{Client, Server};

    const INITIALIZE: (Side, &str) =
        (Client, r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#);
    const ACCEPTED: (Side, &str) = (
        Server,
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}"#,
    );
    const INITIALIZED: (Side, &str) =
        (Client, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);

    fn state(
        client: &str,
        server: &str,
        pending: &[i64],
    ) -> (String, String, Vec<Value>) {
        let pending = pending.iter().map(|id| Value::from(*id)).collect();
        (client.into(), server.into(), pending)
    }

    #[test]
    fn a_request_is_pending_until_its_answer() {
        assert_eq!(state("new", "gate closed", &[1]), after(&[INITIALIZE]));
        let agreed = state("initialized", "2025-06-18 agreed", &[]);
        assert_eq!(agreed, after(&[INITIALIZE, ACCEPTED]));
    }

    #[test]
    fn the_gate_opens_when_initialized_comes_after_the_answer() {
        let handshake = [INITIALIZE, ACCEPTED, INITIALIZED];
        assert_eq!(state("ready", "gate open", &[]), after(&handshake));
    }

    #[test]
    fn initialized_before_the_answer_opens_nothing() {
        assert_eq!(state("new", "gate closed", &[]), after(&[INITIALIZED]));
    }

    #[test]
    fn a_tool_request_before_the_handshake_changes_no_state() {
        let list = (Client, r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#);
        assert_eq!(state("new", "gate closed", &[7]), after(&[list]));
    }

    #[test]
    fn a_refused_initialize_may_be_tried_again() {
        let refused = (
            Server,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}"#,
        );
        assert_eq!(state("new", "gate closed", &[]), after(&[INITIALIZE, refused]));
    }

    #[test]
    fn ends_close_the_client_and_end_the_server() {
        let handshake = [INITIALIZE, ACCEPTED, INITIALIZED];
        let closed = [&handshake[..], &[(Client, "end")]].concat();
        assert_eq!(state("closed", "gate open", &[]), after(&closed));
        let ended = [&closed[..], &[(Server, "end")]].concat();
        assert_eq!(state("closed", "ended", &[]), after(&ended));
    }
}
