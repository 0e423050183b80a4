//! Responses that are too long to quote.

use super::peer::*;
use crate::common::limit::run;

/// The whole answer may be a hundred megabytes long, and a terminal is not.
#[test]
fn an_error_quotes_no_more_than_the_beginning() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let long = "x".repeat(100_000);
        let answer = format!(r#"{{"jsonrpc":"2.0","id":2,"result":"{long}"}}"#);
        let (failed, ()) = tokio::join!(client.ping(), peer.answer(ping(2), answer));
        let error = failed.expect_err("no object").to_string();
        assert!(error.contains(r#"got "xxx"#) && error.len() < 200, "{error}");
    });
}
