//! Locates a pending change again, as the model asked for it, when it no longer fits the file.

use bowline_core::review::ChangeView;
use bowline_core::tools::ToolCall;
use bowline_core::tools::parse::parse;
use bowline_edit::{Mode, Stray, apply_with};

use crate::tools::asked;

/// The file with the whole change made; none where it is not clear either what it would come to. Two places stay two.
pub(super) fn relocate(change: &ChangeView, now: Option<&[u8]>, stray: &Stray) -> Option<Vec<u8>> {
    if !matches!(stray, Stray::NotFound { .. } | Stray::Conflict { .. }) {
        return None;
    }
    let call = change.call.as_ref()?;
    let Ok(ToolCall::EditFile { edits, replace, .. }) = parse(&call.tool, &call.arguments)? else {
        return None;
    };
    let made = apply_with(now, &asked(&edits, replace), Mode::Careful).ok()?.content;
    (Some(made.as_slice()) != now).then_some(made)
}
