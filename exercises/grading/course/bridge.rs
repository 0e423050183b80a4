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
            section: "Registering a tool",
            regions: &[("registry.rs", "register")],
        },
        Task {
            number: "5.2",
            title: "describe the tools to the model",
            section: "Tool definitions for the model",
            regions: &[("registry.rs", "model-tools")],
        },
        Task {
            number: "5.3",
            title: "ask the approver before a call runs",
            section: "Approving a call",
            regions: &[("registry.rs", "execute-call")],
        },
        Task {
            number: "5.4",
            title: "turn a schema into parameters",
            section: "From JSON Schema to parameters",
            regions: &[
                ("registry/parameters.rs", "parameters"),
                ("registry/parameters.rs", "property-kind"),
            ],
        },
        Task {
            number: "5.5",
            title: "turn a result into text",
            section: "From a result to text",
            regions: &[("tool/text.rs", "result-text"), ("tool/text.rs", "block-text")],
        },
        Task {
            number: "5.6",
            title: "give a remote tool a name that a model can call",
            section: "Exposed tool names",
            regions: &[("bridge/names.rs", "exposed-name")],
        },
        Task {
            number: "5.7",
            title: "decide how risky a remote tool is",
            section: "Assigning risk levels",
            regions: &[("bridge.rs", "risk-of"), ("bridge.rs", "unknown-overrides")],
        },
        Task {
            number: "5.8",
            title: "merge a server's tools into the registry",
            section: "Merging a tool list",
            regions: &[("bridge.rs", "merge"), ("bridge.rs", "read-tool")],
        },
        Task {
            number: "5.9",
            title: "forward a call to the server",
            section: "Forwarding a call",
            regions: &[("bridge.rs", "forward-call"), ("bridge.rs", "call-error")],
        },
    ],
};
