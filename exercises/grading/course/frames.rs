use super::Exercise;

pub const EXERCISE: Exercise = Exercise {
    number: "02",
    title: "frames",
    target: "02_frames",
    modules: &[],
    tasks: &[],
};
