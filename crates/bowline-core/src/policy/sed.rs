//! `sed` that only prints. Its scripts can write files (`w`), run programs (`e`) and read others (`r`): a script passes
//! only if each of its commands is one of those that cannot.

use super::command::{Part, Word};
use super::options;
use super::paths::{Refused, RunsIn};

/// Letters of short flags that change nothing but how it prints.
const FLAGS: &str = "nErsuz";
const LONG_FLAGS: &[&str] =
    &["--quiet", "--silent", "--regexp-extended", "--separate", "--unbuffered", "--null-data"];

pub(super) fn judge(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    let mut scripts: Vec<&Word> = Vec::new();
    let mut files: Vec<&Word> = Vec::new();
    let mut words = part.arguments().iter();
    let has_script_flag = part.arguments().iter().filter_map(Word::known).any(is_script_flag);
    while let Some(word) = words.next() {
        match word.known() {
            Some(flag) if is_script_flag(flag) => scripts.extend(words.next()),
            Some(flag) if flag.len() > 1 && flag.starts_with('-') => {
                let is_short = !flag.starts_with("--") && flag.chars().skip(1).all(|c| FLAGS.contains(c));
                if !is_short && !LONG_FLAGS.contains(&flag) {
                    return Err(Refused::ask(format!("sed {flag} may do more than print")));
                }
            }
            _ if scripts.is_empty() && !has_script_flag => scripts.push(word),
            _ => files.push(word),
        }
    }
    for script in scripts {
        let text = script.known().ok_or_else(|| Refused::dynamic(script))?;
        if !only_prints(text) {
            return Err(Refused::ask("the script of sed may write files or run programs"));
        }
    }
    files.into_iter().try_for_each(|file| {
        if options::may_be_flag(file) { Err(Refused::like_flag(file)) } else { here.may_read(file) }
    })
}

/// `-e`, alone or at the end of others.
fn is_script_flag(flag: &str) -> bool {
    let letters = flag.strip_prefix('-').and_then(|letters| letters.strip_suffix('e'));
    letters.is_some_and(|letters| letters.chars().all(|c| FLAGS.contains(c)))
}

fn only_prints(script: &str) -> bool {
    let mut rest = Script { chars: script.chars().collect(), at: 0 };
    while let Some(char) = rest.peek() {
        let is_fine = match char {
            ' ' | '\t' | '\n' | ';' | '{' | '}' => {
                rest.at += 1;
                true
            }
            _ => rest.command(),
        };
        if !is_fine {
            return false;
        }
    }
    true
}

struct Script {
    chars: Vec<char>,
    at: usize,
}

impl Script {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += 1;
        Some(char)
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&is_skipped) {
            self.at += 1;
        }
    }

    /// Addresses and one command that only prints, deletes from the output or substitutes.
    fn command(&mut self) -> bool {
        if !self.address() {
            return false;
        }
        self.skip(|c| c == ' ');
        if self.peek() == Some(',') {
            self.at += 1;
            self.skip(|c| c == ' ');
            if !self.address() {
                return false;
            }
        }
        self.skip(|c| c == ' ' || c == '!');
        match self.next() {
            Some('p' | 'd' | 'q' | '=' | 'n' | 'N' | 'P' | 'D' | 'g' | 'G' | 'h' | 'H' | 'x') => self.ends(),
            Some('{') => true,
            Some('s' | 'y') => self.substitution(),
            _ => false,
        }
    }

    fn address(&mut self) -> bool {
        match self.peek() {
            Some('$') => {
                self.at += 1;
                true
            }
            Some('/') => {
                self.at += 1;
                let is_closed = self.until('/');
                self.skip(|c| c == 'I');
                is_closed
            }
            _ => {
                self.skip(|c| c.is_ascii_digit() || matches!(c, '~' | '+'));
                true
            }
        }
    }

    /// After the delimiter that ends a section. A delimiter between brackets ends it for some and not for others.
    fn until(&mut self, delimiter: char) -> bool {
        let mut is_bracket = false;
        while let Some(char) = self.next() {
            match char {
                '\\' => self.at += 1,
                '\n' => return false,
                '[' => is_bracket = true,
                ']' => is_bracket = false,
                _ if char == delimiter => return !is_bracket,
                _ => {}
            }
        }
        false
    }

    fn substitution(&mut self) -> bool {
        let Some(delimiter) = self.next() else { return false };
        if delimiter.is_alphanumeric() || matches!(delimiter, '\\' | '\n' | ' ' | '[' | ']' | ';') {
            return false;
        }
        if !self.until(delimiter) || !self.until(delimiter) {
            return false;
        }
        self.skip(|c| c.is_ascii_digit() || matches!(c, 'g' | 'p' | 'i' | 'I'));
        self.ends()
    }

    fn ends(&mut self) -> bool {
        self.skip(|c| c == ' ');
        matches!(self.peek(), None | Some(';' | '\n' | '}'))
    }
}

#[cfg(test)]
mod tests {
    use super::only_prints;

    #[test]
    fn scripts_that_only_print() {
        for script in [
            "1,20p",
            "$p",
            "/a/,/b/p",
            "s/a/b/",
            "s|a|b|gp",
            "5q",
            "1d;2p",
            "/x/{p;q}",
            "s/[a-z]*//2",
            "",
            "10,+5p",
        ] {
            assert!(only_prints(script), "{script}");
        }
        for script in [
            "w out",
            "s/a/b/w out",
            "s/a/b/e",
            "1e rm x",
            "e",
            "r /etc/passwd",
            "R x",
            "W x",
            "s/[/]/w x/",
            "s/a/b",
            "1,20p w x",
            "a text",
            "i\\",
            "c x",
            "s/a/b/\nw x",
            "p\nw x",
            "F",
            "b",
            "}e",
            "y/a/b/w x",
            "s;a;b;e",
        ] {
            assert!(!only_prints(script), "{script}");
        }
    }
}
