use super::{Exercise, Task};

pub const EXERCISE: Exercise = Exercise {
    number: "01",
    title: "the JSON-RPC codec",
    target: "01_jsonrpc_codec",
    modules: &[
        "jsonrpc.rs",
        "jsonrpc/members.rs",
        "jsonrpc/parse.rs",
        "jsonrpc/result.rs",
        "jsonrpc/unrepeated.rs",
    ],
    tasks: &[
        Task {
            number: "1.1",
            title: "write a message",
            section: "Writing a message",
            regions: &[
                ("jsonrpc.rs", "encode-message"),
                ("jsonrpc.rs", "encode-response"),
            ],
        },
        Task {
            number: "1.2",
            title: "find the request that a response belongs to",
            section: "Whose answer is it?",
            regions: &[("jsonrpc.rs", "pair")],
        },
        Task {
            number: "1.3",
            title: "refuse a body that is not a message",
            section: "Bytes that are no message",
            regions: &[("jsonrpc/parse.rs", "parse")],
        },
        Task {
            number: "1.4",
            title: "distinguish requests, notifications and responses",
            section: "Three kinds of message",
            regions: &[("jsonrpc/members.rs", "kind")],
        },
        Task {
            number: "1.5",
            title: "read an id",
            section: "An id comes back as it was sent",
            regions: &[("jsonrpc/members.rs", "read-id")],
        },
        Task {
            number: "1.6",
            title: "read a result or an error",
            section: "A result or an error, never both",
            regions: &[
                ("jsonrpc/members.rs", "result"),
                ("jsonrpc/members.rs", "error-object"),
            ],
        },
        Task {
            number: "1.7",
            title: "decide whether a malformed message gets a response",
            section: "Who is owed an answer",
            regions: &[("jsonrpc/parse.rs", "reply")],
        },
    ],
};
