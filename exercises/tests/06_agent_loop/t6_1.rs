use super::*;

#[test]
fn first_it_makes_its_call() {
    judge_async("6.1", "without a result to read the model makes its call", || async {
        let echo = call("echo", json!({"text": "hi"}));
        let mut model = ScriptedModel::calling("echo", echo.arguments.clone());
        let user = Entry::User("Go!".into());
        let likely = "the call is made of the name and the arguments it was given";
        for conversation in [vec![], vec![user.clone()], vec![said("old"), user]] {
            same(
                Step::Calls(vec![echo.clone()]),
                asked(&mut model, &conversation).await?,
            )
            .given(format!("a conversation that is {conversation:?}"))
            .likely(likely)?;
        }
        for end in
            [Entry::ToolExecutionFailed, Entry::Cancelled, Entry::Skipped(echo.clone())]
        {
            let conversation = [Entry::Call(echo.clone()), end];
            same(
                Step::Calls(vec![echo.clone()]),
                asked(&mut model, &conversation).await?,
            )
            .given(format!("a conversation that is {conversation:?}"))
            .likely(
                "no tool has returned a text yet, so there is nothing to \
                         repeat",
            )?;
        }
        Ok(())
    });
}

#[test]
fn then_it_answers_with_the_tools_text() {
    judge_async("6.1", "after a tool's result the model repeats its text", || async {
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
            conversation.push(said(text));
            same(answer(expected), asked(&mut model, &conversation).await?)
                .given(format!("a conversation that ends with {:?}", said(text)))
                .likely("repeat the last entry, not what was sent")?;
        }
        Ok(())
    });
}
