use super::*;

#[test]
fn the_text_of_a_tool_is_an_unchanged_observation() {
    judge("6.2", "the text of a tool is an observation, unchanged", || {
        let likely = "an `Ok` is an observation, whatever its text is";
        for text in [
            "42",
            "",
            "argument `a` is missing",
            "tool execution failed",
            "cancelled by the user",
        ] {
            same(observation(text), Entry::end_of_call(&Ok(text.into())))
                .given(format!("a call that ended with Ok({text:?})"))
                .likely(likely)?;
        }
        for text in ["  indented\n", &"long ".repeat(1000)] {
            same(observation(text), Entry::end_of_call(&Ok(text.into())))
                .given(format!("a call that ended with {} characters", text.len()))
                .likely("do not trim or shorten the text")?;
        }
        Ok(())
    });
}

#[test]
fn a_call_error_is_recorded_without_its_details() {
    judge("6.2", "of a call error the model reads `tool execution failed`", || {
        for error in call_errors() {
            let given = format!("a call that ended with Err({error:?})");
            let entry = Entry::end_of_call(&Err(error));
            same(Entry::ToolExecutionFailed, entry.clone()).given(&given).likely(
                "the error is only for the caller: it may contain paths and secrets",
            )?;
            same("tool execution failed".to_owned(), entry.text()).given(given)?;
        }
        Ok(())
    });
}

#[test]
fn a_cancelled_call_is_recorded_as_such() {
    judge("6.2", "the model reads that the user cancelled a call", || {
        let entry = Entry::end_of_call(&Err(CallError::Cancelled));
        same(Entry::Cancelled, entry.clone())
            .given("a call that ended with Err(Cancelled)")
            .likely("a cancellation is not a failure of the tool")?;
        same("cancelled by the user".to_owned(), entry.text())
    });
}

#[test]
fn every_entry_has_a_text() {
    judge("6.2", "the text of an entry is its message or its call", || {
        let add = call("add", json!({"a": 2}));
        for (expected, entry) in [
            ("Go!", Entry::User("Go!".into())),
            ("42", observation("42")),
            ("done", Entry::Answer("done".into())),
            (r#"add({"a":2})"#, Entry::Call(add.clone())),
            (r#"skipped: add({"a":2})"#, Entry::Skipped(add)),
        ] {
            same(expected.to_owned(), entry.text())
                .given(format!("{entry:?}"))
                .likely("print a call with its `Display`; do not change a text")?;
        }
        Ok(())
    });
}
