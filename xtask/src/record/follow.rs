//! The state after each piece: the client's by the course's own table, the server's gate,
//! the requests in flight.

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

/// One step of a recording: what passed, and the state once it has arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    #[serde(flatten)]
    pub passed: Passed,
    /// `new`, `initialized`, `ready`, `closed`.
    pub client: String,
    /// Whether tools are served: `gate closed`, `2025-06-18 agreed`, `gate open`,
    /// `ended`.
    pub server: String,
    /// The ids of requests without a response, in the order of sending.
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
                (Ok(message), Side::Client) => self.sent(message),
                (Ok(Message::Response(response)), Side::Server) => {
                    self.responded(&response);
                }
                _ => {}
            },
            (Piece::Event { .. }, Side::Client) => self.step(Event::Close),
            (Piece::Event { .. }, Side::Server) => self.ended = true,
            (Piece::Noise { .. }, _) => {}
        }
    }

    /// As in the table, an event that is not allowed leaves the state.
    fn step(&mut self, event: Event) {
        self.client = self.client.step(event).unwrap_or(self.client);
    }

    fn sent(&mut self, message: Message) {
        match message {
            Message::Request(request) => {
                self.step(match request.method.as_str() {
                    method::INITIALIZE => Event::InitializeSent,
                    _ => Event::Request,
                });
                self.pending.push((request.id, request.method));
            }
            Message::Notification(notification) => {
                if notification.method == method::INITIALIZED {
                    self.step(Event::InitializedSent);
                    self.open |= self.agreed.is_some();
                }
            }
            Message::Response(_) => {}
        }
    }

    fn responded(&mut self, response: &Response) {
        let is_it = |(id, _): &(Id, String)| Some(id) == response.id.as_ref();
        let Some(at) = self.pending.iter().position(is_it) else { return };
        if self.pending.remove(at).1 != method::INITIALIZE {
            return;
        }
        let result = response.result.as_ref().ok();
        let version = result.and_then(|result| result["protocolVersion"].as_str());
        self.agreed = version.map(str::to_owned);
        self.step(match version.and_then(supported) {
            Some(_) => Event::InitializeAccepted,
            None => Event::InitializeFailed,
        });
    }
}
