use super::*;

#[test]
fn without_a_tool_result_it_makes_its_call() {
    judge_async("6.1", "without a tool result the model makes its call", || async {
        let echo = call("echo", json!({"text": "hi"}));
        let mut model = ScriptedModel::calling("echo", echo.arguments.clone());
        let user = Entry::User("Go!".into());
        let likely = "return a call with the given name and arguments";
        for conversation in [vec![], vec![user.clone()], vec![observation("old"), user]]
        {
            same(
                Step::Calls(vec![echo.clone()]),
                next_step(&mut model, &conversation).await?,
            )
            .given(format!("the conversation {conversation:?}"))
            .likely(likely)?;
        }
        for end in
            [Entry::ToolExecutionFailed, Entry::Cancelled, Entry::Skipped(echo.clone())]
        {
            let conversation = [Entry::Call(echo.clone()), end];
            same(
                Step::Calls(vec![echo.clone()]),
                next_step(&mut model, &conversation).await?,
            )
            .given(format!("the conversation {conversation:?}"))
            .likely(
                "the last entry is not an observation, so there is no result yet",
            )?;
        }
        Ok(())
    });
}

#[test]
fn after_a_tool_result_it_answers_with_it() {
    judge_async("6.1", "after a tool result the model answers with it", || async {
        let mut model =
            ScriptedModel::calling("echo", call("", json!({"text": "a"})).arguments);
        let mut conversation =
            vec![Entry::User("Go!".into()), Entry::Call(call("echo", json!({})))];
        for (text, expected) in [
            ("你好", "echo 工具返回了：你好"),
            ("something else", "echo 工具返回了：something else"),
            ("", "echo 工具返回了："),
            ("two\nlines\n", "echo 工具返回了：two\nlines\n"),
            (" ", "echo 工具返回了： "),
        ] {
            conversation.push(observation(text));
            same(answer(expected), next_step(&mut model, &conversation).await?)
                .given(format!("a conversation that ends with {:?}", observation(text)))
                .likely("repeat the last entry, not the arguments of the call")?;
        }
        Ok(())
    });
}
