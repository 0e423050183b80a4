use super::*;

/// The text must contain these parts in this order.
fn reads_in_order(parts: &[&str], result: &str) -> Verdict {
    let text = text_of(result)?;
    let mut rest = text.as_str();
    let found = parts.iter().all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    });
    holds(found, format!("{parts:?} in this order"), text).given(result)
}

/// The text must contain this JSON.
fn shows_json(expected: &str, result: &str) -> Verdict {
    let text = text_of(result)?;
    let end = text.rfind('}').map_or(0, |end| end + 1);
    let starts = text.match_indices('{').map(|(start, _)| start);
    let is_expected = |start: usize| {
        let json = serde_json::from_str::<Value>(text.get(start..end).unwrap_or(""));
        json.is_ok_and(|json| json == value(expected))
    };
    let shown = starts.into_iter().any(is_expected);
    holds(shown, format!("a text with {expected}"), text).given(result)
}

#[test]
fn a_text_is_unchanged() {
    judge("5.5", "a text is unchanged, including whitespace", || {
        let likely = "do not quote or trim the text, and do not write it as JSON";
        reads("你好\n ", r#"{"content":[{"type":"text","text":"你好\n "}]}"#)
            .likely(likely)?;
        reads("\"a\"", r#"{"content":[{"type":"text","text":"\"a\""}]}"#)
            .likely(likely)?;
        let long = "é".repeat(100_000);
        let result = format!(r#"{{"content":[{{"type":"text","text":"{long}"}}]}}"#);
        let text = text_of(&result)?;
        let length = format!("{} characters", text.chars().count());
        holds(text == long, "the whole text", length)
            .given("a text of 100000 characters")
            .likely("do not shorten the text")
    });
}

#[test]
fn blocks_are_in_order() {
    judge("5.5", "all blocks are shown in order, each on its own line", || {
        reads("one\ntwo", r#"{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}"#)
            .likely("show all blocks, not only `content[0]`")?;
        reads_in_order(
            &["before\n", "image/png", "\nafter"],
            r#"{"content":[{"type":"text","text":"before"},{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"text","text":"after"}]}"#,
        )
        .likely("a placeholder is at the position of its block")
    });
}

#[test]
fn what_is_not_text_becomes_a_placeholder() {
    judge("5.5", "other blocks become placeholders that name their content", || {
        for (shown, block) in [
            (
                "image/png",
                r#"{"type":"image","data":"iVBORw0K","mimeType":"image/png"}"#,
            ),
            (
                "audio/wav",
                r#"{"type":"audio","data":"iVBORw0K","mimeType":"audio/wav"}"#,
            ),
            ("file:///x", r#"{"type":"resource_link","uri":"file:///x","name":"x"}"#),
            (
                "note://1",
                r#"{"type":"resource","resource":{"uri":"note://1","text":"t"}}"#,
            ),
            (
                "milk, eggs",
                r#"{"type":"resource","resource":{"uri":"note://1","text":"milk, eggs"}}"#,
            ),
            (
                "note://2",
                r#"{"type":"resource","resource":{"uri":"note://2","blob":"iVBORw0K"}}"#,
            ),
            ("video3d", r#"{"type":"video3d","data":"iVBORw0K"}"#),
        ] {
            let result = format!(r#"{{"content":[{block}]}}"#);
            let text = text_of(&result)?;
            holds(text.contains(shown), format!("a text with {shown}"), &text)
                .given(&result)
                .likely("a block is missing, or its placeholder is not specific")?;
            holds(!text.contains("iVBOR"), "a text without the data itself", &text)
                .given(&result)
                .likely("base64 is useless for a model and fills its context")?;
        }
        Ok(())
    });
}

#[test]
fn an_invalid_block_does_not_affect_others() {
    judge("5.5", "an invalid or unknown block does not affect the others", || {
        for block in [
            "null",
            r#""text""#,
            "{}",
            r#"{"type":5,"text":"x"}"#,
            r#"{"data":"iVBORw0K"}"#,
            r#"{"type":null,"data":"iVBORw0K","mimeType":"image/png"}"#,
            r#"{"type":"image","data":"AA=="}"#,
            r#"{"type":"resource_link"}"#,
            r#"{"type":"resource"}"#,
        ] {
            let text = r#"{"type":"text","text":"TEXT"}"#;
            let result = format!(r#"{{"content":[{text},{block},{text}]}}"#);
            reads_in_order(&["TEXT", "TEXT"], &result).likely(
                "any member may be missing or of another type: do not rely on it",
            )?;
            let alone = text_of(&format!(r#"{{"content":[{block}]}}"#))?;
            holds(!alone.trim().is_empty(), "some placeholder", &alone)
                .given(format!("content [{block}]"))
                .likely(
                    "show a placeholder, so that the model knows about the block",
                )?;
            holds(!alone.contains("iVBOR"), "a text without the data itself", alone)
                .given(format!("content [{block}]"))
                .likely(
                    "a block without a type may contain data: do not print it whole",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_failure_always_has_a_text() {
    judge("5.5", "a failed result has a text that reports the failure", || {
        for content in [
            r#""content":[]"#,
            r#""structuredContent":null"#,
            r#""content":[{"type":"text","text":""}]"#,
            r#""content":[{"type":"text","text":" \n"}]"#,
            r#""content":[{"type":"text"}]"#,
        ] {
            let failed = format!(r#"{{"isError":true,{content}}}"#);
            let text = text_of(&failed)?;
            let success = text_of(&format!("{{{content}}}"))?;
            let is_reported = !text.trim().is_empty() && text != success;
            let expected = format!(
                "a text that reports a failure; without isError it is {success:?}"
            );
            holds(is_reported, expected, &text)
                .given(&failed)
                .likely("the model reads an empty text as a success")?;
            let word = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            let success = ["ok", "okay", "done", "success", "true"];
            holds(!success.contains(&word.as_str()), "a text about a failure", text)
                .given(failed)
                .likely("the model would continue as if the tool had succeeded")?;
        }
        Ok(())
    });
}

#[test]
fn the_text_of_a_failure_is_shown() {
    judge("5.5", "a failed result with a text or a block shows it", || {
        let likely = "the model can only correct an error that it can read";
        reads_in_order(
            &["disk full"],
            r#"{"isError":true,"content":[{"type":"text","text":"disk full"}]}"#,
        )
        .likely(likely)?;
        reads_in_order(
            &["image/png"],
            r#"{"isError":true,"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}"#,
        )
        .likely(likely)?;
        shows_json(
            r#"{"code":28}"#,
            r#"{"isError":true,"structuredContent":{"code":28}}"#,
        )
        .likely(likely)
    });
}

#[test]
fn structured_content_is_shown_if_there_is_no_text() {
    judge("5.5", "structured content is shown only if there is no text", || {
        let hits = r#"{"hits":2,"b":1}"#;
        for content in [
            "",
            r#","content":[]"#,
            r#","content":[{"type":"text","text":""}]"#,
            r#","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]"#,
        ] {
            let result = format!(r#"{{"structuredContent":{hits}{content}}}"#);
            shows_json(hits, &result)
                .likely("an image or an empty text does not count as text")?;
        }
        let result = format!(
            r#"{{"structuredContent":{hits},"content":[{{"type":"image","data":"AA==","mimeType":"image/png"}}]}}"#
        );
        reads_in_order(&["image/png"], &result)
            .likely("show the other blocks as well as the structured content")?;
        reads(
            "two hits",
            r#"{"content":[{"type":"text","text":"two hits"}],"structuredContent":{"hits":2}}"#,
        )
        .likely("the text has the same content: show it only once")
    });
}
