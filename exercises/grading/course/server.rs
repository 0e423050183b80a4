use super::{Exercise, Task};

pub const EXERCISE: Exercise = Exercise {
    number: "03",
    title: "the server's rules",
    target: "03_server_dispatch",
    modules: &[
        "server/session.rs",
        "protocol.rs",
        "server.rs",
        "server/calls.rs",
        "server/catalog.rs",
    ],
    tasks: &[
        Task {
            number: "3.1",
            title: "respond to the requests of every server",
            section: "One response per request",
            regions: &[
                ("server/session.rs", "receive"),
                ("server/session.rs", "request"),
            ],
        },
        Task {
            number: "3.2",
            title: "negotiate a revision",
            section: "Negotiating the revision",
            regions: &[
                ("protocol.rs", "negotiate"),
                ("server/session.rs", "initialize"),
            ],
        },
        Task {
            number: "3.3",
            title: "send no response to a notification",
            section: "Notifications",
            regions: &[("server/session.rs", "notification")],
        },
        Task {
            number: "3.4",
            title: "open the gate, and list the tools",
            section: "The handshake gate",
            regions: &[("server/session.rs", "gate"), ("server/session.rs", "list")],
        },
        Task {
            number: "3.5",
            title: "call a tool, and respond with its result",
            section: "Protocol errors and tool failures",
            regions: &[("server/session.rs", "call"), ("server/session.rs", "finish")],
        },
        Task {
            number: "3.6",
            title: "cancel a running call",
            section: "Cancelling a call",
            regions: &[("server/session.rs", "cancelled")],
        },
    ],
};
