//! JSON as models write it, read into a value: a fence around it, single quotes, trailing commas, keys without quotes,
//! Python's literals, raw line breaks and invalid escapes inside strings, closers that are missing at the end.
//!
//! Inside strings only the encoding is mended. A string that does not end, or after which something else follows than may,
//! is refused: what it was meant to hold would be a guess.

use serde_json::{Map, Value};

/// Deeper than any call.
const DEPTH_MAX: usize = 32;

/// The value, or none where something would have to be guessed.
pub(in crate::repair) fn mend(text: &str) -> Option<Value> {
    let text = unfenced(text.trim());
    let mut reader = Reader { chars: text.chars().peekable(), depth: 0 };
    let value = reader.value()?;
    reader.blanks();
    reader.chars.next().is_none().then_some(value)
}

/// Whether a value is nested no deeper than any call is: what is deeper can be written, but not be read back by a parser
/// with a limit, neither from the log nor by a server.
pub(in crate::repair) fn is_shallow(value: &Value) -> bool {
    fits(value, DEPTH_MAX)
}

fn fits(value: &Value, depth_left: usize) -> bool {
    match (value, depth_left.checked_sub(1)) {
        (Value::Array(list), Some(left)) => list.iter().all(|value| fits(value, left)),
        (Value::Object(fields), Some(left)) => fields.values().all(|value| fits(value, left)),
        (Value::Array(_) | Value::Object(_), None) => false,
        _ => true,
    }
}

/// Without a code fence around it.
fn unfenced(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```").and_then(|inner| inner.strip_suffix("```")) else {
        return text;
    };
    // The language stands on the fence's own line.
    inner.split_once('\n').map_or(inner, |(_, body)| body).trim()
}

struct Reader<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    depth: usize,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn value(&mut self) -> Option<Value> {
        self.blanks();
        match *self.chars.peek()? {
            '{' => self.nested(Reader::object),
            '[' => self.nested(Reader::list),
            quote @ ('"' | '\'') => self.string(quote).map(Value::String),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Option<Value>) -> Option<Value> {
        self.chars.next();
        self.depth += 1;
        let value = if self.depth > DEPTH_MAX { None } else { read(self) };
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Option<Value> {
        let mut fields = Map::new();
        loop {
            self.blanks();
            match self.chars.peek().copied() {
                // Missing at the end: the stream ended by itself, so nothing was to follow.
                None => return Some(Value::Object(fields)),
                Some('}') => {
                    self.chars.next();
                    return Some(Value::Object(fields));
                }
                Some(',') => {
                    self.chars.next();
                }
                Some(_) => {
                    let key = self.key()?;
                    self.blanks();
                    self.chars.next_if_eq(&':')?;
                    let value = self.value()?;
                    self.follows(&[',', '}'])?;
                    fields.insert(key, value);
                }
            }
        }
    }

    fn list(&mut self) -> Option<Value> {
        let mut values = Vec::new();
        loop {
            self.blanks();
            match self.chars.peek().copied() {
                None => return Some(Value::Array(values)),
                Some(']') => {
                    self.chars.next();
                    return Some(Value::Array(values));
                }
                Some(',') => {
                    self.chars.next();
                }
                Some(_) => {
                    values.push(self.value()?);
                    self.follows(&[',', ']'])?;
                }
            }
        }
    }

    /// Whether what stands next may stand after a value.
    fn follows(&mut self, allowed: &[char]) -> Option<()> {
        self.blanks();
        self.chars.peek().is_none_or(|next| allowed.contains(next)).then_some(())
    }

    fn key(&mut self) -> Option<String> {
        match *self.chars.peek()? {
            quote @ ('"' | '\'') => self.string(quote),
            _ => {
                let mut key = String::new();
                while let Some(c) = self.chars.next_if(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
                    key.push(c);
                }
                Some(key).filter(|key| !key.is_empty())
            }
        }
    }

    fn string(&mut self, quote: char) -> Option<String> {
        self.chars.next();
        let mut text = String::new();
        loop {
            match self.chars.next()? {
                end if end == quote => return Some(text),
                '\\' => self.escape(&mut text)?,
                // A raw line break is what it looks like.
                other => text.push(other),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Option<()> {
        match self.chars.next()? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            plain @ ('"' | '\'' | '\\' | '/') => text.push(plain),
            'u' => text.push(self.unicode()?),
            // No escape of JSON: the backslash was meant, as in a pattern.
            other => text.extend(['\\', other]),
        }
        Some(())
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.chars.next_if_eq(&'\\')?;
        self.chars.next_if_eq(&'u')?;
        let second = self.hex()?;
        let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + low)
    }

    fn hex(&mut self) -> Option<u32> {
        let mut number = 0;
        for _ in 0..4 {
            number = number * 16 + self.chars.next()?.to_digit(16)?;
        }
        Some(number)
    }

    fn word(&mut self) -> Option<Value> {
        let mut word = String::new();
        while let Some(c) = self.chars.next_if(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.'))
        {
            word.push(c);
        }
        match word.as_str() {
            "true" | "True" | "TRUE" => Some(Value::Bool(true)),
            "false" | "False" | "FALSE" => Some(Value::Bool(false)),
            "null" | "None" | "undefined" => Some(Value::Null),
            number => serde_json::from_str(number).ok().filter(Value::is_number),
        }
    }
}
