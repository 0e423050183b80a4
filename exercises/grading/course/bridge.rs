use super::{Exercise, Task};

pub const EXERCISE: Exercise = Exercise {
    number: "05",
    title: "the registry and the bridge",
    target: "05_registry_bridge",
    modules: &[
        "registry.rs",
        "registry/parameters.rs",
        "tool/text.rs",
        "bridge.rs",
        "bridge/names.rs",
    ],
    tasks: &[
        Task {
            number: "5.1",
            title: "register a tool",
            section: "A name is taken once",
            regions: &[("registry.rs", "register")],
        },
        Task {
            number: "5.2",
            title: "describe the tools to the model",
            section: "What the model is given",
            regions: &[("registry.rs", "model-tools")],
        },
        Task {
            number: "5.3",
            title: "ask the approver before a call runs",
            section: "The gate",
            regions: &[("registry.rs", "execute-call")],
        },
        Task {
            number: "5.4",
            title: "turn a schema into parameters",
            section: "A schema becomes parameters",
            regions: &[
                ("registry/parameters.rs", "parameters"),
                ("registry/parameters.rs", "property-kind"),
            ],
        },
        Task {
            number: "5.5",
            title: "turn a result into text",
            section: "A result becomes text",
            regions: &[("tool/text.rs", "result-text"), ("tool/text.rs", "block-text")],
        },
        Task {
            number: "5.6",
            title: "give a remote tool a name that a model can call",
            section: "The name that the model sees",
            regions: &[("bridge/names.rs", "exposed-name")],
        },
        Task {
            number: "5.7",
            title: "decide how risky a remote tool is",
            section: "The host decides the risk",
            regions: &[("bridge.rs", "risk-of"), ("bridge.rs", "unknown-overrides")],
        },
        Task {
            number: "5.8",
            title: "merge a server's tools into the registry",
            section: "One bad tool costs itself only",
            regions: &[("bridge.rs", "merge"), ("bridge.rs", "read-tool")],
        },
        Task {
            number: "5.9",
            title: "forward a call to the server",
            section: "Two kinds of failure",
            regions: &[("bridge.rs", "forward-call"), ("bridge.rs", "call-error")],
        },
    ],
};
