//! Many calls in flight, each with its response.

use super::peer::*;
use crate::common::limit::run;
use serde_json::Map;

#[test]
fn a_hundred_calls_in_flight_are_answered_in_reverse() {
    run(async {
        let (client, mut peer, notes) = ready().await;
        let mut calls = tokio::task::JoinSet::new();
        for _ in 0..100 {
            let client = client.clone();
            calls.spawn(async move { client.call_tool("t", Map::new()).await });
        }
        for id in 2..=101 {
            peer.expect(call(id)).await;
        }
        assert_eq!(100, client.pending());
        for id in (2..=101).rev() {
            peer.say(text(id, &id.to_string())).await;
        }
        let mut texts: Vec<u32> = Vec::new();
        for outcome in calls.join_all().await {
            let content = outcome.expect("a result").content;
            let text = content[0]["text"].as_str().expect("a text");
            texts.push(text.parse().expect("a number"));
        }
        texts.sort();
        assert_eq!((2..=101).collect::<Vec<_>>(), texts);
        assert_eq!(0, client.pending());
        drop(notes);
    });
}
