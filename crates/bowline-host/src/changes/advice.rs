//! Errors for changes that can't be applied or reverted, with advice on what to do next.

use bowline_core::item::ChangeState;
use bowline_core::review::ChangeView;
use bowline_edit::Stray;

use super::{ChangesError, Pick};

/// The change does not fit the file and was not applied.
pub(super) fn unmade(pick: &Pick<'_>, stray: &Stray) -> ChangesError {
    let id = &pick.change.id;
    let next = match pick.beside.as_slice() {
        [] => format!(
            "Make the change yourself (bowline changes diff {id}), or drop it: bowline changes reject {id}"
        ),
        [one] => format!("{one} came before it and is pending too: bowline changes apply {one} {id}"),
        all => format!(
            "{} came before it and are pending too: bowline changes apply {} {id}",
            all.join(", "),
            all.join(" ")
        ),
    };
    refused(pick, stray, next)
}

/// The result of the change was not found in the file, so it was not reverted.
pub(super) fn unfit(pick: &Pick<'_>, stray: &Stray) -> ChangesError {
    let id = &pick.change.id;
    let by_hand = format!("hange the file yourself: bowline changes diff {id} shows what it did");
    let next = match pick.beside.as_slice() {
        // It says itself what can be done.
        _ if *stray == Stray::Changed => String::new(),
        _ if *stray == Stray::Missing => "Put the file back first, then try again".to_owned(),
        [] => format!("C{by_hand}"),
        later => {
            let (told, ids) = (later.join(", "), later.join(" "));
            format!("{told} came later in this file: try bowline changes rewind {id} {ids}, or c{by_hand}")
        }
    };
    refused(pick, stray, next)
}

fn refused(pick: &Pick<'_>, stray: &Stray, next: String) -> ChangesError {
    let ChangeView { id, edit, .. } = pick.change;
    ChangesError::Refused { why: format!("{id} ({}): {stray}", edit.path), next }
}

/// It was decided about already, or not yet. `name` is what the user called it.
pub(super) fn decided_already(
    change: &ChangeView,
    name: &str,
    is: ChangeState,
    must: ChangeState,
) -> ChangesError {
    let id = &change.id;
    let again = "The model can be asked for it again";
    let (words, next) = match (is, must) {
        (ChangeState::Applied, _) => {
            ("is already applied", format!("To revert it: bowline changes rewind {id}"))
        }
        (ChangeState::Pending, _) => {
            ("is pending and was not applied", format!("To drop it: bowline changes reject {id}"))
        }
        (ChangeState::Rejected, ChangeState::Applied) => ("was rejected and never applied", String::new()),
        (ChangeState::Rejected, _) => ("was rejected", again.to_owned()),
        (ChangeState::Rewound, ChangeState::Applied) => ("was already reverted", String::new()),
        (ChangeState::Rewound, _) => ("was reverted", again.to_owned()),
    };
    ChangesError::Refused { why: format!("{name} ({}) {words}", change.edit.path), next }
}
