//! How many parameters a model has, read from words: `7.6B` as Ollama tells it, or the `1.5b` in a model's name.
//!
//! A name is only believed where a number stands alone between separators. `e4b` (effective parameters), `a3b` (the active
//! part of a mixture), `q4_k_m`, `4bit`, `3.2` and `v0.3` are no sizes, `8x7b` is the product, and of several sizes the
//! largest counts (`olmoe-1b-7b` has 7 billion in all).

/// A name with fewer millions means its window (`-1m`), not its size.
const NAMED_MILLIONS_MIN: f64 = 50.0;

/// `7.6B`, `134.52M`: a size in words of its own.
pub fn parameters_in_words(words: &str) -> Option<i64> {
    let words = words.trim().to_lowercase();
    let unit = words.chars().last()?;
    let factor = match unit {
        'k' => 1e3,
        'm' => 1e6,
        'b' => 1e9,
        't' => 1e12,
        _ => return None,
    };
    Some((number(words.strip_suffix(unit)?)? * factor) as i64).filter(|parameters| *parameters > 0)
}

/// The size that a model's name tells. The last part of a path that has one counts: `models/7b/coder-1.5b.gguf`.
pub fn parameters_in_name(name: &str) -> Option<i64> {
    name.rsplit('/').find_map(|part| {
        let part = part.to_lowercase();
        words(&part).into_iter().filter_map(named_size).max()
    })
}

/// The words of a name. A full stop between two digits is part of a number; anywhere else it is a separator.
fn words(part: &str) -> Vec<&str> {
    let bytes = part.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_separator = |(at, byte): (usize, u8)| match byte {
        b'.' => !(is_digit(at.checked_sub(1)) && is_digit(Some(at + 1))),
        byte => byte.is_ascii() && !byte.is_ascii_alphanumeric(),
    };
    let mut words = Vec::new();
    let mut start = 0;
    for (at, byte) in part.bytes().enumerate() {
        if is_separator((at, byte)) {
            words.extend(part.get(start..at));
            start = at + 1;
        }
    }
    words.extend(part.get(start..));
    words
}

/// `1.5b`, `270m`, `8x7b`.
fn named_size(word: &str) -> Option<i64> {
    if let Some(millions) = word.strip_suffix('m') {
        let millions = number(millions).filter(|millions| *millions >= NAMED_MILLIONS_MIN)?;
        return Some((millions * 1e6) as i64);
    }
    let billions = word.strip_suffix('b')?;
    let billions = match billions.split_once('x') {
        Some((experts, each)) => number(experts)? * number(each)?,
        None => number(billions)?,
    };
    Some((billions * 1e9) as i64).filter(|parameters| *parameters > 0)
}

/// Digits with at most one full stop: `f64` alone would also take `1e5`, `inf` and signs.
fn number(text: &str) -> Option<f64> {
    let is_plain = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_plain.then(|| text.parse().ok()).flatten()
}
