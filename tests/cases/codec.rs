//! What is written: the very bytes of a frame.

use crate::data::Piece;
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::{Id, Message, Response},
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    framing: String,
    /// The result of request 1; or a body that another program has written.
    result: Option<Value>,
    body: Option<Piece>,
    frame: String,
}

impl Run {
    pub fn check(&self) {
        let framing: Framing = self.framing.parse().expect("a framing");
        let body = match (&self.result, &self.body) {
            (Some(result), None) => {
                let response = Response::result(Id::Integer(1), result.clone());
                Message::Response(response).encode()
            }
            (None, Some(body)) => body.bytes(),
            _ => panic!("either a result or a body"),
        };
        let frame = String::from_utf8(framing.encode(&body)).expect("UTF-8");
        assert_eq!(self.frame, frame);
    }
}
