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
            section: "Encoding a frame",
            regions: &[("frame.rs", "encode-frame")],
        },
        Task {
            number: "2.2",
            title: "detect the framing",
            section: "Detecting the framing",
            regions: &[("frame.rs", "detect")],
        },
        Task {
            number: "2.3",
            title: "read lines",
            section: "Reading lines",
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
            section: "Reading a header field",
            regions: &[
                ("frame/fields.rs", "header-field"),
                ("frame/fields.rs", "content-length"),
            ],
        },
        Task {
            number: "2.5",
            title: "read a header block and a body of N bytes",
            section: "Reading a body of N bytes",
            regions: &[
                ("frame/headers.rs", "next-content-length-frame"),
                ("frame/headers.rs", "add-header"),
                ("frame/headers.rs", "body-length"),
            ],
        },
        Task {
            number: "2.6",
            title: "distinguish an end inside a frame from a clean end",
            section: "End of input",
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
            section: "Limits on memory",
            regions: &[
                ("frame/reader.rs", "skip-line-start"),
                ("frame/headers.rs", "end-of-long-line"),
            ],
        },
    ],
};
