//! What two short sequences have in common, in order.

/// Above this many comparisons only the ends that are equal are paired.
const CELLS_MAX: usize = 4_000_000;

/// The pairs of a longest common subsequence; equal beginnings and ends are always paired.
pub(crate) fn common<T: PartialEq>(one: &[T], other: &[T]) -> Vec<(usize, usize)> {
    let front = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (a, b) = (&one[front..], &other[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    let mut pairs: Vec<(usize, usize)> = (0..front).map(|at| (at, at)).collect();
    if a.len().saturating_mul(b.len()) <= CELLS_MAX {
        pairs.extend(longest(a, b).into_iter().map(|(x, y)| (x + front, y + front)));
    }
    pairs.extend((0..back).map(|at| (one.len() - back + at, other.len() - back + at)));
    pairs
}

fn longest<T: PartialEq>(a: &[T], b: &[T]) -> Vec<(usize, usize)> {
    heaviest((a.len(), b.len()), |x, y| u32::from(a[x] == b[y]))
}

/// The pairs, in order on both sides, whose weights add up to most; those that weigh nothing are never paired.
pub(crate) fn heaviest(
    (rows, columns): (usize, usize),
    weight: impl Fn(usize, usize) -> u32,
) -> Vec<(usize, usize)> {
    if rows.saturating_mul(columns) > CELLS_MAX {
        return Vec::new();
    }
    let width = columns + 1;
    let mut most = vec![0_u32; (rows + 1) * width];
    for x in (0..rows).rev() {
        for y in (0..columns).rev() {
            let pair = match weight(x, y) {
                0 => 0,
                weight => most[(x + 1) * width + y + 1] + weight,
            };
            most[x * width + y] = pair.max(most[(x + 1) * width + y]).max(most[x * width + y + 1]);
        }
    }
    let (mut x, mut y) = (0, 0);
    let mut pairs = Vec::new();
    while x < rows && y < columns {
        let (here, own) = (most[x * width + y], weight(x, y));
        if own > 0 && here == most[(x + 1) * width + y + 1] + own {
            pairs.push((x, y));
            (x, y) = (x + 1, y + 1);
        } else if here == most[(x + 1) * width + y] {
            x += 1;
        } else {
            y += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn the_longest_common_part() {
        assert_eq!(common(b"abcd", b"xbxd"), [(1, 1), (3, 3)]);
        assert_eq!(common(b"ab", b"ab"), [(0, 0), (1, 1)]);
        assert_eq!(common(b"ab", b"acb"), [(0, 0), (1, 2)]);
        assert!(common(b"", b"a").is_empty());
    }
}
