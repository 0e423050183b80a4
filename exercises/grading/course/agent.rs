use super::{Exercise, Task};

pub const EXERCISE: Exercise = Exercise {
    number: "06",
    title: "the agent loop",
    target: "06_agent_loop",
    modules: &["agent.rs"],
    tasks: &[
        Task {
            number: "6.1",
            title: "write a scripted model",
            section: "A scripted model",
            regions: &[("agent.rs", "scripted-model")],
        },
        Task {
            number: "6.2",
            title: "write what the model reads about a call",
            section: "Recording the result of a call",
            regions: &[("agent.rs", "end-of-call"), ("agent.rs", "entry-text")],
        },
        Task {
            number: "6.3",
            title: "stop when the user cancels",
            section: "Cancellation",
            regions: &[("agent.rs", "run-until-cancelled")],
        },
        Task {
            number: "6.4",
            title: "ask until there is an answer",
            section: "The turn loop",
            regions: &[("agent.rs", "run")],
        },
        Task {
            number: "6.5",
            title: "make the calls of a step",
            section: "Making the calls of a step",
            regions: &[("agent.rs", "make-calls")],
        },
        Task {
            number: "6.6",
            title: "end the turn when a call has no result",
            section: "Ending the turn after a call error",
            regions: &[("agent.rs", "skip-remaining")],
        },
    ],
};
