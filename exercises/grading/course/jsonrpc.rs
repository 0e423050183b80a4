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
            section: "Encoding a message",
            regions: &[
                ("jsonrpc.rs", "encode-message"),
                ("jsonrpc.rs", "encode-response"),
            ],
        },
        Task {
            number: "1.2",
            title: "find the request that a response belongs to",
            section: "Pairing responses with requests",
            regions: &[("jsonrpc.rs", "pair")],
        },
        Task {
            number: "1.3",
            title: "refuse a body that is not a message",
            section: "Parsing a body",
            regions: &[("jsonrpc/parse.rs", "parse")],
        },
        Task {
            number: "1.4",
            title: "distinguish requests, notifications and responses",
            section: "Requests, notifications and responses",
            regions: &[("jsonrpc/members.rs", "kind")],
        },
        Task {
            number: "1.5",
            title: "read an id",
            section: "Reading an id",
            regions: &[("jsonrpc/members.rs", "read-id")],
        },
        Task {
            number: "1.6",
            title: "read a result or an error",
            section: "Reading a response",
            regions: &[
                ("jsonrpc/members.rs", "result"),
                ("jsonrpc/members.rs", "error-object"),
            ],
        },
        Task {
            number: "1.7",
            title: "decide whether a malformed message gets a response",
            section: "Which malformed messages get a response",
            regions: &[("jsonrpc/parse.rs", "reply")],
        },
    ],
};
