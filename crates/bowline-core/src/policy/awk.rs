//! `awk` that only prints. Its programs can write files (`print > "x"`), run programs (`system`, `|`) and read others
//! (`getline`, `ARGV`): a program passes only if nothing in it can be one of these.
//!
//! What always holds: a forbidden name is found wherever it stands, in a text or a pattern, too, and where the programs called
//! awk differ on where a text or a pattern ends, it is asked about.

use super::command::Part;
use super::options;
use super::paths::{Refused, RunsIn};

/// Names that read, write, start or show something beside the files among the arguments.
const FORBIDDEN: &[&str] = &[
    "system",
    "getline",
    "ENVIRON",
    "PROCINFO",
    "SYMTAB",
    "FUNCTAB",
    "ARGV",
    "ARGC",
    "extension",
    "fflush",
    "close",
];
/// After these words a `/` begins a pattern. After other names it divides.
const BEFORE_PATTERN: &[&str] =
    &["return", "print", "printf", "in", "else", "do", "case", "exit", "delete", "BEGIN", "END"];

pub(super) fn judge(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    let given = options::read("awk", &["-F: -v:"], part.arguments(), here)?;
    let Some((program, files)) = given.operands.split_first() else {
        return Err(Refused::ask("awk has no program"));
    };
    let text = program.known().ok_or_else(|| Refused::dynamic(program))?;
    if !only_prints(text) {
        return Err(Refused::ask("the program of awk may write files, run programs or read others"));
    }
    files.iter().try_for_each(|file| here.may_read(file))
}

fn only_prints(program: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = program.split(|c: char| !is_letter(c));
    if names.any(|name| FORBIDDEN.contains(&name)) || !program.is_ascii() {
        return false;
    }
    let mut scan = Scan { rest: program, last: Last::Operator, is_printing: false };
    while let Some(char) = scan.rest.chars().next() {
        if !scan.step(char) {
            return false;
        }
    }
    true
}

/// What stood before: it decides what a `/` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Operator,
    Operand,
    /// A pattern may follow for some and not for others.
    Unclear,
}

struct Scan<'p> {
    rest: &'p str,
    last: Last,
    /// Whether a `print` stands before it in the same statement, so that `>` would name a file.
    is_printing: bool,
}

impl Scan<'_> {
    fn take(&mut self, count: usize, last: Last) -> bool {
        self.rest = self.rest.get(count..).unwrap_or_default();
        self.last = last;
        true
    }

    /// One token; false where it may do more than print.
    fn step(&mut self, char: char) -> bool {
        match char {
            ' ' | '\t' | '\n' => self.take(1, self.last),
            '"' => self.quoted(),
            '/' => match self.last {
                Last::Operator => self.pattern(),
                Last::Operand => self.take(1, Last::Operator),
                Last::Unclear => false,
            },
            '|' if self.rest.starts_with("||") => self.take(2, Last::Operator),
            '>' if !self.is_printing && !self.rest.starts_with(">>") => self.take(1, Last::Operator),
            '#' => self.comment(),
            ';' | '{' | '}' => {
                self.is_printing = false;
                self.take(1, Last::Operator)
            }
            '+' | '-' if self.rest.starts_with("++") || self.rest.starts_with("--") => {
                self.take(2, Last::Unclear)
            }
            ')' | '$' => self.take(1, Last::Unclear),
            ']' => self.take(1, Last::Operand),
            '(' | '[' | ',' | '!' | '~' | '<' | '=' | '+' | '-' | '*' | '%' | '^' | '?' | ':' | '&' => {
                self.take(1, Last::Operator)
            }
            _ if char.is_ascii_alphanumeric() || matches!(char, '_' | '.') => self.word(),
            _ => false,
        }
    }

    fn word(&mut self) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let word = self.rest.split(|c| !is_part(c)).next().unwrap_or_default();
        self.is_printing |= matches!(word, "print" | "printf");
        let last = match word {
            "length" => Last::Unclear,
            _ if BEFORE_PATTERN.contains(&word) => Last::Operator,
            _ => Last::Operand,
        };
        self.take(word.len(), last)
    }

    fn quoted(&mut self) -> bool {
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, char)) = chars.next() {
            match char {
                '\\' if chars.next().is_none_or(|(_, next)| next == '\n') => return false,
                '\n' => return false,
                '"' => return self.take(at + 1, Last::Operand),
                _ => {}
            }
        }
        false
    }

    /// `/…/`. A slash between brackets ends it for some and not for others.
    fn pattern(&mut self) -> bool {
        let mut chars = self.rest.char_indices().skip(1);
        let mut is_bracket = false;
        while let Some((at, char)) = chars.next() {
            match char {
                '\\' if chars.next().is_none_or(|(_, next)| next == '\n') => return false,
                '\n' => return false,
                '[' => is_bracket = true,
                ']' => is_bracket = false,
                '/' => return !is_bracket && self.take(at + 1, Last::Operand),
                _ => {}
            }
        }
        false
    }

    /// One that ends with `\` may go on in the next line.
    fn comment(&mut self) -> bool {
        let line = self.rest.split('\n').next().unwrap_or_default();
        !line.ends_with('\\') && self.take(line.len(), self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::only_prints;

    #[test]
    fn programs_that_only_print() {
        for program in [
            "{print $1}",
            "NR == 1, /x/ { print; next }",
            "$3 > 5 || $1 ~ /a|b/",
            "{ print a / b / c }",
            "{ print \"a > b | c\" }",
            "# all of it\n{ print }",
            "BEGIN { while (i++ < 3) { x = x \"|\" }; print x }",
            "{ x = $1 > 2 ? \"y\" : \"n\"; print x }",
            "!seen[$0]++",
            "{ print n[1] / 2 }",
        ] {
            assert!(only_prints(program), "{program}");
        }
        for program in [
            "{ print > \"x\" }",
            "{ print $1\n if (x) y > 3 }",
            "{ print \"x\" | \"sh\" }",
            "{ x = \"system\" }",
            "{ print (1) / x > \"y\" / 2 }",
            "{ print x++ / y > \"z\" / 2 }",
            "{ print /[/]/ > \"y\" }",
            "{ print \"a\\\nb\" }",
            "{ @f() }",
            "{ print \"open }",
            "{ print /open }",
            "{ `x` }",
            "# comment \\\n{ print }",
        ] {
            assert!(!only_prints(program), "{program}");
        }
    }
}
