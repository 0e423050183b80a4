use super::Exercise;

pub const EXERCISE: Exercise = Exercise {
    number: "06",
    title: "the agent loop",
    target: "06_agent_loop",
    modules: &[],
    tasks: &[],
};
