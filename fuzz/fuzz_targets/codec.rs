//! Any bytes are a message or malformed; a message survives another round as it is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_from_scratch::jsonrpc::{Message, parse};

fuzz_target!(|body: &[u8]| {
    let message = match parse(body) {
        Ok(message) => message,
        Err(malformed) => {
            assert!([-32700, -32600, -32602].contains(&malformed.code));
            match malformed.reply() {
                Some(reply) => Message::Response(reply),
                None => return,
            }
        }
    };
    let encoded = message.encode();
    assert!(!encoded.contains(&b'\n'), "a frame is one line");
    let again = parse(&encoded).expect("what we write can be read");
    assert_eq!(message, again);
    assert_eq!(encoded, again.encode());
});
