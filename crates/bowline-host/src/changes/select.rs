//! Selects changes: all possible ones, those of a turn, or named ones such as `c3`, or `c3:2` for its second hunk.

use bowline_core::item::ChangeState;
use bowline_core::review::{ChangeView, Review};

use super::advice::decided_already;
use super::{ChangesError, Pick};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    All,
    Turn(String),
    Named(Vec<Named>),
}

/// A change, or one of its hunks, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub id: String,
    pub hunk: Option<usize>,
}

impl Named {
    /// From `c3`, `3` or `c3:2`.
    pub fn parse(text: &str) -> Option<Named> {
        let (id, hunk) = match text.trim().split_once(':') {
            Some((id, hunk)) => (id, Some(hunk.parse().ok().filter(|hunk| *hunk > 0)?)),
            None => (text.trim(), None),
        };
        let number: u32 = id.strip_prefix(['c', 'C']).unwrap_or(id).parse().ok()?;
        Some(Named { id: format!("c{number}"), hunk })
    }
}

impl Selection {
    /// The changes and hunks that are to come to this state, in the order of the log. Of all, those that can be; one that
    /// is named and can't be is refused.
    pub(super) fn pick<'r>(
        &self,
        review: &'r Review,
        state: ChangeState,
    ) -> Result<Vec<Pick<'r>>, ChangesError> {
        let from = if state == ChangeState::Rewound { ChangeState::Applied } else { ChangeState::Pending };
        let open = |change: &ChangeView| -> Vec<usize> {
            (0..change.hunks.len()).filter(|at| change.hunks[*at] == from).collect()
        };
        let changes = review.changes.iter().enumerate();
        let mut picks = match self {
            Selection::All => {
                changes.filter_map(|(index, change)| pick(change, index, open(change))).collect()
            }
            Selection::Turn(turn) => {
                let mut of_turn = changes.filter(|(_, change)| is_of(change, turn)).peekable();
                if of_turn.peek().is_none() {
                    let words =
                        format!("turn {turn} changed no file: bowline changes list shows what there is");
                    return Err(ChangesError::Unknown(words));
                }
                of_turn.filter_map(|(index, change)| pick(change, index, open(change))).collect()
            }
            Selection::Named(named) => those(review, named, from)?,
        };
        let picked: Vec<usize> = picks.iter().map(|pick| pick.index).collect();
        for pick in &mut picks {
            if from == ChangeState::Applied && pick.hunks != open(pick.change) {
                let words = format!(
                    "{id} can only be reverted as a whole: bowline changes rewind {id}",
                    id = pick.change.id
                );
                return Err(ChangesError::Unknown(words));
            }
            let is_in_the_way = |index: usize| match from {
                ChangeState::Applied => index > pick.index,
                _ => index < pick.index,
            };
            let others = review.changes.iter().enumerate().filter(|(index, change)| {
                let is_alike = change.edit.path == pick.change.edit.path && change.hunks.contains(&from);
                is_alike && is_in_the_way(*index) && !picked.contains(index)
            });
            pick.beside = others.map(|(_, change)| change.id.as_str()).collect();
        }
        Ok(picks)
    }
}

/// `t2`, or `2`.
fn is_of(change: &ChangeView, turn: &str) -> bool {
    change.turn.as_deref().is_some_and(|of| of == turn || of.strip_prefix('t') == Some(turn))
}

/// Those that are named, in the order of the log, each once.
fn those<'r>(review: &'r Review, named: &[Named], from: ChangeState) -> Result<Vec<Pick<'r>>, ChangesError> {
    let mut picks: Vec<Pick<'r>> = Vec::new();
    for named in named {
        let (index, change) = find(review, named)?;
        let hunks = hunks(change, named, from)?;
        match picks.iter_mut().find(|pick| pick.index == index) {
            Some(pick) => pick.hunks.extend(hunks),
            None => picks.extend(pick(change, index, hunks)),
        }
    }
    for pick in &mut picks {
        pick.hunks.sort_unstable();
        pick.hunks.dedup();
    }
    picks.sort_by_key(|pick| pick.index);
    Ok(picks)
}

fn pick(change: &ChangeView, index: usize, hunks: Vec<usize>) -> Option<Pick<'_>> {
    (!hunks.is_empty()).then_some(Pick { change, index, hunks, beside: Vec::new() })
}

fn find<'r>(review: &'r Review, named: &Named) -> Result<(usize, &'r ChangeView), ChangesError> {
    let found = review.changes.iter().enumerate().find(|(_, change)| change.id == named.id);
    found.ok_or_else(|| {
        let words = format!("there is no change {}: bowline changes list shows those there are", named.id);
        ChangesError::Unknown(words)
    })
}

/// The hunks that a name stands for, if they are as they must be.
fn hunks(change: &ChangeView, named: &Named, from: ChangeState) -> Result<Vec<usize>, ChangesError> {
    let id = &change.id;
    match named.hunk {
        Some(hunk) => match change.hunks.get(hunk - 1) {
            Some(state) if *state == from => Ok(vec![hunk - 1]),
            Some(state) => Err(decided_already(change, &format!("{id}:{hunk}"), *state, from)),
            None => {
                let all = change.hunks.len();
                let all = if all == 1 { "one hunk".to_owned() } else { format!("{all} hunks") };
                let words = format!("{id} has {all}, and no hunk {hunk}: bowline changes diff {id} shows it");
                Err(ChangesError::Unknown(words))
            }
        },
        None => {
            let open: Vec<usize> = (0..change.hunks.len()).filter(|at| change.hunks[*at] == from).collect();
            if open.is_empty() { Err(decided_already(change, id, change.state(), from)) } else { Ok(open) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Named;

    #[test]
    fn names() {
        let named = |id: &str, hunk| Some(Named { id: id.to_owned(), hunk });
        assert_eq!(Named::parse("c3"), named("c3", None));
        assert_eq!(Named::parse("12"), named("c12", None));
        assert_eq!(Named::parse("C3:2"), named("c3", Some(2)));
        for text in ["", "c", "x3", "c3:", "c3:0", "c3:x", ":1", "c-1"] {
            assert_eq!(Named::parse(text), None, "{text}");
        }
    }
}
