//! Applies changes to the planned files, or reverts them, file by file.
//!
//! A change that was already written but not recorded is recognised: it can't be applied, but reverting it and applying it
//! again gives the file as it is.

use bowline_core::change_decision::ChangeDecision;
use bowline_core::limits::PATCH_BYTES_MAX;
use bowline_edit::{Digest, Patch};

use super::advice::{unfit, unmade};
use super::plan::Plan;
use super::relocate::relocate;
use super::{ChangesError, Pick, decided, not_recorded};

type Content = Option<Vec<u8>>;

/// Applies changes in the order in which they were made.
pub(super) fn apply(plan: &mut Plan<'_>, picks: &[Pick<'_>]) -> Result<Vec<ChangeDecision>, ChangesError> {
    let mut done: Vec<(usize, ChangeDecision)> = Vec::new();
    for path in paths(picks) {
        let group: Vec<&Pick<'_>> = picks.iter().filter(|pick| pick.change.edit.path == path).collect();
        let content = plan.content(path)?;
        let now = content.clone();
        let is_there = group.last().is_some_and(|pick| {
            let patch = pick.change.edit.patch.as_ref();
            patch.is_some_and(|patch| digest(&now) == Some(patch.after) && digest(&now) != patch.before)
        });
        let landed = match if is_there { applied_before(&now, &group) } else { None } {
            Some(landed) => landed,
            None => match forward(now.clone(), &group) {
                Ok((made, landed)) => {
                    *content = made;
                    landed
                }
                Err(error) => applied_before(&now, &group).ok_or(error)?,
            },
        };
        for (pick, patch) in group.iter().zip(landed) {
            let kept = Some(patch).filter(|patch| patch.bytes() <= PATCH_BYTES_MAX);
            done.push((pick.index, decided(pick, kept)));
        }
    }
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, change)| change).collect())
}

/// Reverts changes, newest first.
pub(super) fn rewind(plan: &mut Plan<'_>, picks: &[Pick<'_>]) -> Result<Vec<ChangeDecision>, ChangesError> {
    for path in paths(picks) {
        let mut landed: Vec<(i64, &Pick<'_>, &Patch)> = Vec::new();
        for pick in picks.iter().filter(|pick| pick.change.edit.path == path) {
            if pick.change.landed.is_empty() {
                return Err(not_recorded(pick.change));
            }
            landed.extend(pick.change.landed.iter().map(|(seq, patch)| (*seq, pick, patch)));
        }
        landed.sort_by_key(|(seq, pick, _)| std::cmp::Reverse((*seq, pick.index)));
        let content = plan.content(path)?;
        let now = content.clone();
        let (newest, oldest) = (landed.first().map(|last| last.2), landed.last().map(|first| first.2));
        let is_back = oldest.is_some_and(|patch| digest(&now) == patch.before)
            && newest.is_some_and(|patch| digest(&now) != Some(patch.after));
        if is_back && rewound_before(&now, &landed) {
            continue;
        }
        match back(now.clone(), &landed) {
            Ok(made) => *content = made,
            Err(error) if !rewound_before(&now, &landed) => return Err(error),
            Err(_) => {}
        }
    }
    Ok(picks.iter().map(|pick| decided(pick, None)).collect())
}

/// Each once, in the order they come up, from the newest change on.
fn paths<'p>(picks: &'p [Pick<'_>]) -> Vec<&'p str> {
    let mut paths: Vec<&str> = Vec::new();
    for pick in picks.iter().rev() {
        if !paths.contains(&pick.change.edit.path.as_str()) {
            paths.push(&pick.change.edit.path);
        }
    }
    paths
}

fn digest(content: &Content) -> Option<Digest> {
    content.as_deref().map(Digest::of)
}

/// The file with the changes made, and what each did to it.
fn forward(mut now: Content, group: &[&Pick<'_>]) -> Result<(Content, Vec<Patch>), ChangesError> {
    let mut landed = Vec::new();
    for pick in group {
        let patch = pick.change.edit.patch.as_ref().ok_or_else(|| not_recorded(pick.change))?;
        let made = match patch.apply_hunks(now.as_deref(), &pick.hunks) {
            Ok(made) => made,
            Err(stray) => {
                let is_whole = pick.hunks.len() == pick.change.hunks.len();
                let found = if is_whole { relocate(pick.change, now.as_deref(), &stray) } else { None };
                found.ok_or_else(|| unmade(pick, &stray))?
            }
        };
        landed.push(Patch::between(now.as_deref(), &made));
        now = Some(made);
    }
    Ok((now, landed))
}

/// What each did to the file, if all of them are in it.
fn applied_before(now: &Content, group: &[&Pick<'_>]) -> Option<Vec<Patch>> {
    let mut before = now.clone();
    for pick in group.iter().rev() {
        before = pick.change.edit.patch.as_ref()?.rewind_hunks(before.as_deref(), &pick.hunks).ok()?;
    }
    let (made, landed) = forward(before, group).ok()?;
    (made == *now).then_some(landed)
}

/// The file without the changes, which come newest first.
fn back(mut now: Content, landed: &[(i64, &Pick<'_>, &Patch)]) -> Result<Content, ChangesError> {
    for (_, pick, patch) in landed {
        now = patch.rewind(now.as_deref()).map_err(|stray| unfit(pick, &stray))?;
    }
    Ok(now)
}

/// Whether none of them is in the file any more, and all would fit it.
fn rewound_before(now: &Content, landed: &[(i64, &Pick<'_>, &Patch)]) -> bool {
    let mut after = now.clone();
    for (.., patch) in landed.iter().rev() {
        match patch.apply(after.as_deref()) {
            Ok(made) => after = Some(made),
            Err(_) => return false,
        }
    }
    back(after, landed).is_ok_and(|before| before == *now)
}
