//! Turns the command line into the order for a turn.

use bowline_core::entry::{Access, ReviewMode};
use bowline_core::limits::STEPS_MAX;
use bowline_core::mode::Mode;
use bowline_core::policy::Lists;
use bowline_core::thinking::Thinking;
use bowline_core::turn::Permission;
use bowline_host::launch::{Ask, CheckFlag, Order, SessionChoice};
use bowline_host::sandbox::Helper;

use crate::args::Work;

impl Work {
    /// The session that is continued, or a new one.
    pub(crate) fn which(&self) -> SessionChoice {
        match (&self.session, self.is_continued) {
            (Some(id), _) => SessionChoice::Named(id.clone()),
            (None, true) => SessionChoice::Last,
            (None, false) => SessionChoice::New,
        }
    }

    pub(crate) fn order(&self, which: SessionChoice, ask: Ask, permission: Permission) -> Order {
        Order {
            folder: self.folder.clone(),
            which,
            is_fork: self.is_fork,
            is_ephemeral: self.is_ephemeral,
            is_worktree: self.is_worktree,
            ask,
            access: if self.is_read_only { Access::ReadOnly } else { Access::Write },
            is_plan: false,
            edits: if self.is_review { ReviewMode::Review } else { ReviewMode::Auto },
            permission,
            rules: Lists { allow: self.allow.clone(), deny: self.deny.clone(), ..Lists::default() },
            steps_max: self.max_steps.unwrap_or(STEPS_MAX),
            time_ms_max: self.max_time.and_then(|time| i64::try_from(time.as_millis()).ok()),
            mode: self.mode.as_deref().and_then(Mode::of),
            thinking: self.thinking.as_deref().and_then(Thinking::of),
            check: match &self.check {
                _ if self.is_unchecked => CheckFlag::Off,
                Some(command) => CheckFlag::Command(command.clone()),
                None => CheckFlag::Unset,
            },
            sandbox: (!self.is_unsandboxed).then_some(Helper::ThisProgram),
            search: self.server.search(self.window),
        }
    }
}
