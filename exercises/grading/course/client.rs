use super::{Exercise, Task};

pub const EXERCISE: Exercise = Exercise {
    number: "04",
    title: "the client's life cycle and its pending requests",
    target: "04_client_lifecycle",
    modules: &["lifecycle.rs", "pending.rs"],
    tasks: &[
        Task {
            number: "4.1",
            title: "keep the order of a connection's states",
            section: "The connection states",
            regions: &[("lifecycle.rs", "step")],
        },
        Task {
            number: "4.2",
            title: "add a request",
            section: "The table of pending requests",
            regions: &[("pending.rs", "open")],
        },
        Task {
            number: "4.3",
            title: "find the caller of a response",
            section: "Responses in any order",
            regions: &[("pending.rs", "take")],
        },
        Task {
            number: "4.4",
            title: "explain a response with an unknown id",
            section: "Responses to unknown requests",
            regions: &[("pending.rs", "numeric-equivalent")],
        },
        Task {
            number: "4.5",
            title: "expire what has waited too long",
            section: "A deadline for every request",
            regions: &[("pending.rs", "expire")],
        },
        Task {
            number: "4.6",
            title: "release all callers when the connection is closed",
            section: "Closing the connection",
            regions: &[("pending.rs", "drain")],
        },
    ],
};
