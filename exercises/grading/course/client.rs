use super::Exercise;

pub const EXERCISE: Exercise = Exercise {
    number: "04",
    title: "the client's life and its pending table",
    target: "04_client_lifecycle",
    modules: &[],
    tasks: &[],
};
