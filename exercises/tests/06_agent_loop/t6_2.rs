use super::*;

#[test]
fn a_tools_text_is_an_observation() {
    judge("6.2", "the text of a tool is an observation, unchanged", || {
        let likely = "the text alone does not distinguish success from failure";
        for text in [
            "42",
            "",
            "argument `a` is missing",
            "tool execution failed",
            "cancelled by the user",
        ] {
            same(said(text), Entry::end_of_call(&Ok(text.into())))
                .given(format!("a call that ended with Ok({text:?})"))
                .likely(likely)?;
        }
        for text in ["  indented\n", &"long ".repeat(1000)] {
            same(said(text), Entry::end_of_call(&Ok(text.into())))
                .given(format!("a call that ended with {} characters", text.len()))
                .likely(
                    "nothing is trimmed or cut: whitespace and length may matter",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_call_error_is_recorded_without_its_details() {
    judge("6.2", "after a call error the model reads `tool execution failed`", || {
        for error in trouble() {
            let given = format!("a call that ended with Err({error:?})");
            let entry = Entry::end_of_call(&Err(error));
            same(Entry::ToolExecutionFailed, entry.clone())
                .given(&given)
                .likely("the cause is for the caller; it may hold paths and secrets")?;
            same("tool execution failed".to_owned(), entry.text()).given(given)?;
        }
        Ok(())
    });
}

#[test]
fn a_cancelled_call_is_recorded_as_such() {
    judge("6.2", "the model may know that the user stopped a call", || {
        let entry = Entry::end_of_call(&Err(CallError::Cancelled));
        same(Entry::Cancelled, entry.clone())
            .given("a call that ended with Err(Cancelled)")
            .likely("nothing failed: the user cancelled")?;
        same("cancelled by the user".to_owned(), entry.text())
    });
}

#[test]
fn every_entry_has_a_text() {
    judge("6.2", "each entry shows what was said, called or skipped", || {
        let add = call("add", json!({"a": 2}));
        for (expected, entry) in [
            ("Go!", Entry::User("Go!".into())),
            ("42", said("42")),
            ("done", Entry::Answer("done".into())),
            (r#"add({"a":2})"#, Entry::Call(add.clone())),
            (r#"skipped: add({"a":2})"#, Entry::Skipped(add)),
        ] {
            same(expected.to_owned(), entry.text())
                .given(format!("{entry:?}"))
                .likely("a `ToolCall` knows how it prints; a text is left as it is")?;
        }
        Ok(())
    });
}
