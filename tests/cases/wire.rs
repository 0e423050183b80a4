//! The server's side of the wire. It shares no code with what it tests.

use mcp_from_scratch::frame::Framing;
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream,
};

pub struct RawServer {
    framing: Framing,
    from: BufReader<DuplexStream>,
    to: DuplexStream,
}

impl RawServer {
    pub fn new(framing: Framing, from: DuplexStream, to: DuplexStream) -> Self {
        Self { framing, from: BufReader::new(from), to }
    }

    /// The client's next message; `None` at the end.
    pub async fn hear(&mut self) -> Option<Value> {
        let line = self.line().await?;
        let body = match self.framing {
            Framing::Newline => line,
            Framing::ContentLength => {
                let length = line.strip_prefix("Content-Length: ").expect("a header");
                let length = length.trim_end().parse().expect("a number");
                assert_eq!(Some("\r\n"), self.line().await.as_deref());
                let mut body = vec![0; length];
                self.from.read_exact(&mut body).await.expect("a whole body");
                String::from_utf8(body).expect("UTF-8")
            }
        };
        Some(serde_json::from_str(&body).expect("JSON from the client"))
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.from.read_line(&mut line).await.expect("UTF-8");
        (count > 0).then_some(line)
    }

    pub async fn say(&mut self, body: &[u8]) -> Result<(), String> {
        let frame = match self.framing {
            Framing::Newline => [body, b"\n"].concat(),
            Framing::ContentLength => {
                let header = format!("Content-Length: {}\r\n\r\n", body.len());
                [header.as_bytes(), body].concat()
            }
        };
        self.write(&frame).await
    }

    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let written = self.to.write_all(bytes).await;
        written.map_err(|error| format!("the client reads no more: {error}"))
    }
}
