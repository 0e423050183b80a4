use super::*;

/// It must contain these, in this order.
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

/// Somewhere in the text, this JSON.
fn shows_json(expected: &str, result: &str) -> Verdict {
    let text = text_of(result)?;
    let end = text.rfind('}').map_or(0, |end| end + 1);
    let starts = text.match_indices('{').map(|(start, _)| start);
    let is_it = |start: usize| {
        let json = serde_json::from_str::<Value>(text.get(start..end).unwrap_or(""));
        json.is_ok_and(|json| json == value(expected))
    };
    let shown = starts.into_iter().any(is_it);
    holds(shown, format!("a text with {expected}"), text).given(result)
}

#[test]
fn a_text_is_itself() {
    judge("5.5", "a text is not changed, including its whitespace", || {
        let likely = "quoted, trimmed, or given as JSON: the model wants the text";
        reads("你好\n ", r#"{"content":[{"type":"text","text":"你好\n "}]}"#)
            .likely(likely)?;
        reads("\"a\"", r#"{"content":[{"type":"text","text":"\"a\""}]}"#)
            .likely(likely)?;
        let long = "é".repeat(100_000);
        let result = format!(r#"{{"content":[{{"type":"text","text":"{long}"}}]}}"#);
        let text = text_of(&result)?;
        let got = format!("{} characters", text.chars().count());
        holds(text == long, "the text, whole", got)
            .given("a text of 100000 characters")
            .likely("cut: how much a model may read is not decided here")
    });
}

#[test]
fn blocks_are_in_their_order() {
    judge("5.5", "all blocks are read, in their order, each on its line", || {
        reads("one\ntwo", r#"{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}"#)
            .likely("there may be any number of blocks: `content[0]` is not all")?;
        reads_in_order(
            &["before\n", "image/png", "\nafter"],
            r#"{"content":[{"type":"text","text":"before"},{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"text","text":"after"}]}"#,
        )
        .likely("a placeholder takes the place of its block")
    });
}

#[test]
fn a_block_that_is_not_text_becomes_a_placeholder() {
    judge("5.5", "a block that is not text becomes a placeholder", || {
        for (says, block) in [
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
            holds(text.contains(says), format!("a text with {says}"), &text)
                .given(&result)
                .likely(
                    "a block is missing, or its placeholder does not name its \
                         type",
                )?;
            holds(!text.contains("iVBOR"), "a text without the data itself", &text)
                .given(&result)
                .likely("base64 is useless to a model and fills its context")?;
        }
        Ok(())
    });
}

#[test]
fn an_odd_block_costs_itself_only() {
    judge("5.5", "an invalid or unknown block affects no other block", || {
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
            reads_in_order(&["TEXT", "TEXT"], &result)
                .likely("no member of a block is certain: the server wrote it")?;
            let alone = text_of(&format!(r#"{{"content":[{block}]}}"#))?;
            holds(!alone.trim().is_empty(), "some placeholder", &alone)
                .given(format!("content [{block}]"))
                .likely("the block exists, and the model should know that")?;
            holds(!alone.contains("iVBOR"), "a text without the data itself", alone)
                .given(format!("content [{block}]"))
                .likely("shown whole: a block without a type may also be large data")?;
        }
        Ok(())
    });
}

#[test]
fn a_failure_never_reads_as_empty() {
    judge("5.5", "a failure never reads as empty or as a success", || {
        for content in [
            r#""content":[]"#,
            r#""structuredContent":null"#,
            r#""content":[{"type":"text","text":""}]"#,
            r#""content":[{"type":"text","text":" \n"}]"#,
            r#""content":[{"type":"text"}]"#,
        ] {
            let failed = format!(r#"{{"isError":true,{content}}}"#);
            let text = text_of(&failed)?;
            let fine = text_of(&format!("{{{content}}}"))?;
            let described = !text.trim().is_empty() && text != fine;
            let expected = format!(
                "a text that reports the failure; without isError it reads \
                         {fine:?}"
            );
            holds(described, expected, &text)
                .given(&failed)
                .likely("an empty text reads like a success")?;
            let word = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            let success = ["ok", "okay", "done", "success", "true"];
            holds(!success.contains(&word.as_str()), "words of a failure", text)
                .given(failed)
                .likely("the model would continue as if it had worked")?;
        }
        Ok(())
    });
}

#[test]
fn a_failure_with_words_is_its_words() {
    judge("5.5", "a failure that has words is read in its own words", || {
        let likely = "the model can only fix what it reads";
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
    judge("5.5", "structured content is shown only where there is no text", || {
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
            .likely("structured content replaces the text; the image is also shown")?;
        reads(
            "two hits",
            r#"{"content":[{"type":"text","text":"two hits"}],"structuredContent":{"hits":2}}"#,
        )
        .likely("the text has the same content; do not show it twice")
    });
}
