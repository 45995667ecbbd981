//! The small words of a scenario: durations, `key=value` lists, quoted strings, base64.
//!
//! Every reader says in its error what it met and what is due, without a line: the caller knows that.

/// A virtual day and more is a typing mistake.
const DURATION_MS_MAX: u64 = 48 * 3_600_000;

/// `50ms`, `30s`, `2m`.
pub(super) fn duration_ms(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        _ => 0,
    };
    match digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)) {
        Some(ms) if unit > 0 && ms <= DURATION_MS_MAX => Ok(ms),
        _ => Err(format!("`{text}` is no duration; due: a number with ms, s or m, as in 1500ms")),
    }
}

/// A JSON string that fills the text.
pub(super) fn quoted(text: &str) -> Result<String, String> {
    serde_json::from_str(text)
        .map_err(|_| format!("`{text}` is no quoted string; due: \"…\" with JSON's escapes"))
}

/// A JSON string at the start, and what follows it.
pub(super) fn quoted_first(text: &str) -> Result<(String, &str), String> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match stream.next() {
        Some(Ok(value)) => {
            let rest = &text[stream.byte_offset()..];
            Ok((value, rest.trim()))
        }
        _ => Err(format!("`{text}` does not begin with a quoted string; due: \"…\" with JSON's escapes")),
    }
}

/// Words parted by blanks: `key=value`, `key="a value"`, or a bare word, whose value is empty.
pub(super) fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut rest = text.trim();
    let mut pairs = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == '=').unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        if key.is_empty() {
            return Err(format!("`{rest}` has no name before `=`; due: key=value"));
        }
        let Some(value) = after.strip_prefix('=') else {
            pairs.push((key.to_owned(), String::new()));
            rest = after.trim_start();
            continue;
        };
        if value.starts_with('"') {
            let (value, after) = quoted_first(value)?;
            pairs.push((key.to_owned(), value));
            rest = after;
        } else {
            let end = value.find(char::is_whitespace).unwrap_or(value.len());
            pairs.push((key.to_owned(), value[..end].to_owned()));
            rest = value[end..].trim_start();
        }
    }
    Ok(pairs)
}

/// Standard base64; white space is skipped, padding may be left out.
pub(super) fn base64(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut bits) = (0_u32, 0);
    for letter in text.bytes().filter(|letter| !letter.is_ascii_whitespace() && *letter != b'=') {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => {
                return Err(format!("`{}` is no letter of base64; due: A-Z a-z 0-9 + /", char::from(letter)));
            }
        };
        held = (held << 6) | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration_ms("1500ms"), Ok(1_500));
        assert_eq!(duration_ms("2m"), Ok(120_000));
        for wrong in ["", "5", "s", "-1s", "1h", "99999999999999999999s", "9999999m"] {
            assert!(duration_ms(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pairs_keep_order_quotes_and_bare_words() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            pairs(r#"a=1 yes b="two words"  c=x=y"#),
            Ok(vec![pair("a", "1"), pair("yes", ""), pair("b", "two words"), pair("c", "x=y")])
        );
        assert!(pairs("=1").is_err());
        assert!(pairs("a=\"open").is_err());
    }

    #[test]
    fn base64_of_every_length() {
        assert_eq!(base64("aGVs\nbG8=").unwrap(), b"hello");
        assert_eq!(base64("aGVsbA==").unwrap(), b"hell");
        assert_eq!(base64("/+8A").unwrap(), [0xff, 0xef, 0]);
        assert!(base64("a!").is_err());
    }
}
