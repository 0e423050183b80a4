use super::{Exercise, Task};

pub const EXERCISE: Exercise = Exercise {
    number: "02",
    title: "frames",
    target: "02_frames",
    modules: &[
        "frame.rs",
        "frame/buffer.rs",
        "frame/fields.rs",
        "frame/headers.rs",
        "frame/lines.rs",
        "frame/reader.rs",
    ],
    tasks: &[
        Task {
            number: "2.1",
            title: "write a frame",
            section: "Two ways to mark an end",
            regions: &[("frame.rs", "encode-frame")],
        },
        Task {
            number: "2.2",
            title: "detect the framing",
            section: "Which framing is spoken?",
            regions: &[("frame.rs", "detect")],
        },
        Task {
            number: "2.3",
            title: "read lines",
            section: "A line is a frame",
            regions: &[
                ("frame/buffer.rs", "take-line"),
                ("frame/lines.rs", "next-line"),
                ("frame/lines.rs", "read-line"),
                ("frame/lines.rs", "line-body"),
                ("frame/lines.rs", "finish-line"),
            ],
        },
        Task {
            number: "2.4",
            title: "read a header",
            section: "A header is a name and a value",
            regions: &[
                ("frame/fields.rs", "header-field"),
                ("frame/fields.rs", "content-length"),
            ],
        },
        Task {
            number: "2.5",
            title: "read a header block and a body of N bytes",
            section: "So many bytes",
            regions: &[
                ("frame/headers.rs", "next-content-length-frame"),
                ("frame/headers.rs", "add-header"),
                ("frame/headers.rs", "body-length"),
            ],
        },
        Task {
            number: "2.6",
            title: "distinguish an end inside a frame from a clean end",
            section: "When the input ends",
            regions: &[("frame/headers.rs", "finish-content-length")],
        },
        Task {
            number: "2.7",
            title: "continue after noise",
            section: "Noise between frames",
            regions: &[
                ("frame/headers.rs", "noise-line"),
                ("frame/headers.rs", "embedded-header"),
            ],
        },
        Task {
            number: "2.8",
            title: "keep endless input from filling the memory",
            section: "How much a reader keeps",
            regions: &[
                ("frame/reader.rs", "skip-line-start"),
                ("frame/headers.rs", "end-of-long-line"),
            ],
        },
    ],
};
