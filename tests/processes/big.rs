//! Messages that no pipe holds.

use crate::{common::limit::run, script::*};
use serde_json::json;

const SIZE: usize = 16 * 1024 * 1024;

/// Case L22: the server writes all of its answer before it reads the rest of the
/// request, so a client that writes before it reads would wait forever.
#[test]
fn both_sides_may_write_16_mebibytes_at_the_same_time() {
    run(async {
        let script = r#"
            head -c 1 >/dev/null
            printf '{"jsonrpc":"2.0","id":2,'
            printf '"result":{"content":[{"type":"text","text":"'
            head -c 16777216 /dev/zero | tr '\0' a
            printf '"}]}}\n'
            tr -d -c x | wc -c >&2"#;
        let (client, mut notes) = ready(script).await;
        let arguments = json!({ "te_t": "x".repeat(SIZE) });
        let arguments = arguments.as_object().cloned().expect("an object");
        let outcome = client.call_tool("t", arguments).await.expect("a result");
        let text = outcome.content[0]["text"].as_str().expect("a text");
        assert_eq!(SIZE, text.len());
        client.close().await;
        assert_eq!(SIZE.to_string(), stderr_line(&mut notes).await);
    });
}
