use super::{Exercise, Task};

pub const EXERCISE: Exercise = Exercise {
    number: "04",
    title: "the client's life and its pending table",
    target: "04_client_lifecycle",
    modules: &["lifecycle.rs", "pending.rs"],
    tasks: &[
        Task {
            number: "4.1",
            title: "keep the order of a connection's life",
            section: "New, initialized, ready, closed",
            regions: &[("lifecycle.rs", "step")],
        },
        Task {
            number: "4.2",
            title: "enter a request",
            section: "A table of those who wait",
            regions: &[("pending.rs", "open")],
        },
        Task {
            number: "4.3",
            title: "find who waits for an answer",
            section: "Answers in any order",
            regions: &[("pending.rs", "take")],
        },
        Task {
            number: "4.4",
            title: "say what a strange answer was meant for",
            section: "An answer that nobody waits for",
            regions: &[("pending.rs", "meant-by")],
        },
        Task {
            number: "4.5",
            title: "end what has waited too long",
            section: "A deadline for every request",
            regions: &[("pending.rs", "expire")],
        },
        Task {
            number: "4.6",
            title: "let everybody go when the connection is over",
            section: "When the connection is over",
            regions: &[("pending.rs", "drain")],
        },
    ],
};
