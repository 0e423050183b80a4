use super::*;

/// A model that never returns.
struct Thinker;

impl Model for Thinker {
    fn next<'a>(
        &'a mut self,
        _: &'a [Entry],
        _: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, ModelError>> {
        Box::pin(pending())
    }
}

#[test]
fn an_answer_ends_the_turn_and_is_its_result() {
    judge_async("6.4", "a final answer ends the turn and is recorded", || async {
        let mut plan = Plan::new([answer("hello"), answer("too many")]);
        let played = play(&mut plan).await?;
        same(Ok("hello".into()), played.result)
            .likely("the model's final answer is the result of the turn")?;
        same(vec![Entry::Answer("hello".into())], played.conversation)
            .given("what was added to the conversation")
            .likely("the answer belongs to the conversation: the next turn reads it")?;
        same(1, plan.shown.len())
            .given("how often the model was asked")
            .likely("after a final answer the model is not asked again")?;
        reads(&played.diary, &["entry: hello"])
            .given("what happened")
            .likely("every entry goes through `Recorder::record`, once")?;
        for text in ["", " two\nlines\n"] {
            let mut plan = Plan::new([answer(text), answer("too many")]);
            let played = play(&mut plan).await?;
            let added = vec![Entry::Answer(text.into())];
            same((Ok(text.into()), added), (played.result, played.conversation))
                .given(format!("an answer that is {text:?}: result, entries"))
                .likely("a final answer may have any text, and is not changed")?;
        }
        Ok(())
    });
}

#[test]
fn the_model_gets_the_conversation_and_the_tools() {
    judge_async(
        "6.4",
        "the model gets the whole conversation and the tools",
        || async {
            let mut plan = Plan::new([answer("hello")]);
            let played = play(&mut plan).await?;
            same(vec![vec![Entry::User("Go!".into())]], plan.shown)
                .given("the conversation that the model was shown")
                .likely("it also gets the entries of earlier turns")?;
            same(played.tools, plan.tools)
                .given("the tools that the model was shown")
                .likely("it is given what `model_tools` returns")
        },
    );
}

#[test]
fn a_model_that_fails_ends_the_turn() {
    judge_async("6.4", "if the model fails, the caller learns why", || async {
        let mut plan = Plan::default();
        plan.steps.push_back(Err(ModelError("overloaded".into())));
        let played = play(&mut plan).await?;
        same(Err(TurnError::Model(ModelError("overloaded".into()))), played.result)
            .given("a model that fails with `overloaded`")
            .likely("there is no step to continue with; the text is for the caller")?;
        same(vec![], played.conversation)
            .given("what was added to the conversation")
            .likely("nothing is recorded and nothing called")
    });
}

#[test]
fn a_model_that_never_returns_can_be_stopped() {
    judge_async("6.4", "the user can stop the model as well as a call", || async {
        for looks in [0, 5] {
            let setting = Setting { max_steps: 8, user: after_looks(looks) };
            let played = play_with(&mut Thinker, setting).await?;
            same(Err(TurnError::Call(CallError::Cancelled)), played.result)
                .given("a model that never returns, and a user who cancels")
                .likely("asking the model is work that can be stopped: task 6.3")?;
            same(vec![], played.conversation)
                .given("what was added to the conversation")
                .likely("no call was made, so none was cancelled")?;
        }
        Ok(())
    });
}

#[test]
fn without_steps_the_model_is_not_asked() {
    judge_async("6.4", "a turn with no steps left ends before the model", || async {
        let mut plan = Plan::new([answer("hello")]);
        let setting = Setting { max_steps: 0, user: pending() };
        let played = play_with(&mut plan, setting).await?;
        same(Err(TurnError::TooManySteps(0)), played.result)
            .given("`max_steps` is 0")
            .likely("the limit is checked before the model is asked")?;
        same(0, plan.shown.len()).given("how often the model was asked")
    });
}
