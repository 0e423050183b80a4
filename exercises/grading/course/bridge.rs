use super::Exercise;

pub const EXERCISE: Exercise = Exercise {
    number: "05",
    title: "the registry and the bridge",
    target: "05_registry_bridge",
    modules: &[],
    tasks: &[],
};
