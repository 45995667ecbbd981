//! Which new line goes back to which old one.

use crate::diff::common;
use crate::tokens::tokens;

/// The share of tokens two lines must have in common to be one line in two versions, in percent.
const SHARED_PERCENT_MIN: usize = 50;
/// A change of more lines is taken as it is written.
const LINES_MAX: usize = 200;

/// For each new line the old one it goes back to, in order; none for one that is new altogether.
pub(super) fn partners(old: &[&[u8]], new: &[&[u8]]) -> Vec<Option<usize>> {
    let mut partners = vec![None; new.len()];
    if old.len() > LINES_MAX || new.len() > LINES_MAX {
        return partners;
    }
    let width = new.len() + 1;
    let alike: Vec<Vec<usize>> =
        old.iter().map(|one| new.iter().map(|other| alike(one, other)).collect()).collect();
    let mut best = vec![0; (old.len() + 1) * width];
    for x in (0..old.len()).rev() {
        for y in (0..new.len()).rev() {
            let pair = if alike[x][y] > 0 { alike[x][y] + best[(x + 1) * width + y + 1] } else { 0 };
            best[x * width + y] = pair.max(best[(x + 1) * width + y]).max(best[x * width + y + 1]);
        }
    }
    let (mut x, mut y) = (0, 0);
    while x < old.len() && y < new.len() {
        let here = best[x * width + y];
        if alike[x][y] > 0 && here == alike[x][y] + best[(x + 1) * width + y + 1] {
            partners[y] = Some(x);
            (x, y) = (x + 1, y + 1);
        } else if here == best[(x + 1) * width + y] {
            x += 1;
        } else {
            y += 1;
        }
    }
    partners
}

/// The share of tokens in common, in percent; 0 below the least.
fn alike(one: &[u8], other: &[u8]) -> usize {
    let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
    let inked = |text| -> Vec<&str> {
        tokens(text).into_iter().filter(|token: &&str| !token.trim().is_empty()).collect()
    };
    let (one, other) = (inked(&one), inked(&other));
    let percent = common(&one, &other).len() * 200 / (one.len() + other.len()).max(1);
    if percent >= SHARED_PERCENT_MIN { percent } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::partners;

    #[test]
    fn a_changed_line_finds_its_old_one() {
        let old: [&[u8]; 2] = [b"let a = run(1);", b"stop(now);"];
        let new: [&[u8]; 3] = [b"// why", b"let a = run(2);", b"stop(later);"];
        assert_eq!(partners(&old, &new), [None, Some(0), Some(1)]);
        assert_eq!(partners(&old, &[b"else"]), [None]);
    }
}
