use super::*;

/// A model that never answers.
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
    judge_async("6.4", "an answer ends the turn; it is recorded", || async {
        let mut plan = Plan::new([answer("hello"), answer("too many")]);
        let played = play(&mut plan).await?;
        same(Ok("hello".into()), played.result)
            .likely("the result of the turn is the model's answer")?;
        same(vec![Entry::Answer("hello".into())], played.conversation)
            .given("the entries added to the conversation")
            .likely("record the answer: the next turn reads it")?;
        same(1, plan.shown.len())
            .given("how often the model was asked")
            .likely("do not ask the model again after its answer")?;
        has_logged(&played.log, &["entry: hello"])
            .given("what happened")
            .likely("pass every entry to `Recorder::record`, once")?;
        for text in ["", " two\nlines\n"] {
            let mut plan = Plan::new([answer(text), answer("too many")]);
            let played = play(&mut plan).await?;
            let added = vec![Entry::Answer(text.into())];
            same((Ok(text.into()), added), (played.result, played.conversation))
                .given(format!("an answer that is {text:?}: result, entries"))
                .likely("any text is an answer, even an empty one: do not change it")?;
        }
        Ok(())
    });
}

#[test]
fn the_model_gets_the_conversation_and_the_tools() {
    judge_async("6.4", "the model gets the conversation and the tools", || async {
        let mut plan = Plan::new([answer("hello")]);
        let played = play(&mut plan).await?;
        same(vec![vec![Entry::User("Go!".into())]], plan.shown)
            .given("the conversation that the model received")
            .likely("pass the earlier entries, too")?;
        same(played.tools, plan.tools)
            .given("the tools that the model received")
            .likely("pass the result of `model_tools`")
    });
}

#[test]
fn a_model_that_fails_ends_the_turn() {
    judge_async("6.4", "if the model fails, the caller gets its error", || async {
        let mut plan = Plan::default();
        plan.steps.push_back(Err(ModelError("overloaded".into())));
        let played = play(&mut plan).await?;
        same(Err(TurnError::Model(ModelError("overloaded".into()))), played.result)
            .given("a model that fails with `overloaded`")
            .likely("end the turn and return the model's error unchanged")?;
        same(vec![], played.conversation)
            .given("the entries added to the conversation")
            .likely("there was no answer and no call: record nothing")
    });
}

#[test]
fn a_model_that_never_answers_can_be_cancelled() {
    judge_async("6.4", "a cancellation stops the model as well as a call", || async {
        for polls in [0, 5] {
            let settings = Settings { max_steps: 8, cancelled: after_polls(polls) };
            let played = play_with(&mut Thinker, settings).await?;
            same(Err(TurnError::Call(CallError::Cancelled)), played.result)
                .given("a model that never answers, and a cancellation")
                .likely("run the model with `run_until_cancelled`: task 6.3")?;
            same(vec![], played.conversation)
                .given("the entries added to the conversation")
                .likely("no call was made, so record no cancelled call")?;
        }
        Ok(())
    });
}

#[test]
fn without_steps_the_model_is_not_asked() {
    judge_async("6.4", "a turn without steps does not ask the model", || async {
        let mut plan = Plan::new([answer("hello")]);
        let settings = Settings { max_steps: 0, cancelled: pending() };
        let played = play_with(&mut plan, settings).await?;
        same(Err(TurnError::TooManySteps(0)), played.result)
            .given("`max_steps` is 0")
            .likely("check the limit before you ask the model")?;
        same(0, plan.shown.len()).given("how often the model was asked")
    });
}
