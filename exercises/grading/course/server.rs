use super::Exercise;

pub const EXERCISE: Exercise = Exercise {
    number: "03",
    title: "the server's rules",
    target: "03_server_dispatch",
    modules: &[],
    tasks: &[],
};
