//! The first entry of a session, for tests that need a log.

use bowline_core::entry::{Access, Body, ModelRef, SessionStarted};
use bowline_core::mode::Mode;
use bowline_core::{prompts, tools};

pub(crate) fn started(access: Access, window: i64, mode: Mode) -> Body {
    Body::SessionStarted(SessionStarted {
        project: "/project".to_owned(),
        work_tree: "/project".to_owned(),
        title: "played".to_owned(),
        agent: "default".to_owned(),
        access,
        model: ModelRef {
            model: "scripted".to_owned(),
            base_url: "http://127.0.0.1".to_owned(),
            window,
            mode,
        },
        prompt: prompts::DEFAULT.trim().to_owned(),
        tools: tools::specs(access),
        instructions: Vec::new(),
        shown: None,
    })
}
