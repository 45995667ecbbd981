//! Splits the text of a command into the programs it runs, as a shell would, by rules of thumb.
//!
//! The permission rules have a parser of their own. This one never refuses: what it does not understand stays a word.

/// Steps of one command; the rest of it is not read.
const STEPS_MAX: usize = 64;
/// How deep `sh -c` is followed.
const DEPTH_MAX: usize = 4;

/// How a step is joined to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// It is the first one, or it follows `;`, `&` or a line break.
    Then,
    And,
    Or,
    Pipe,
}

/// One program with its arguments, without assignments and redirects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub joint: Joint,
    pub words: Vec<String>,
}

/// The steps of a command, those of `sh -c '…'` included.
pub(super) fn steps(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    read(text, 0, &mut steps);
    steps
}

/// Whether the exit code of the whole command is not that of the program that does the work.
pub(super) fn hides_exit(text: &str) -> bool {
    steps(text).iter().skip(1).any(|step| step.joint != Joint::And)
}

fn read(text: &str, depth: usize, steps: &mut Vec<Step>) {
    let mut splitter = Splitter::new(text);
    while let Some(step) = splitter.step() {
        if steps.len() >= STEPS_MAX {
            return;
        }
        match script(&step.words) {
            Some(script) if depth < DEPTH_MAX => read(&script, depth + 1, steps),
            _ => steps.push(step),
        }
    }
}

/// The text that `sh -c` runs.
fn script(words: &[String]) -> Option<String> {
    let is_shell = |word: &String| {
        matches!(word.rsplit('/').next(), Some("sh" | "bash" | "zsh" | "dash" | "ash" | "ksh"))
    };
    let at = words.iter().take(6).position(is_shell)?;
    let mut rest = words.iter().skip(at + 1);
    let flag =
        rest.find(|word| !matches!(word.as_str(), "-e" | "-l" | "-i" | "-u" | "-x" | "-o" | "pipefail"))?;
    let runs_text = flag.starts_with('-') && !flag.starts_with("--") && flag.ends_with('c');
    if runs_text { rest.next().cloned() } else { None }
}

struct Splitter<'a> {
    signs: std::iter::Peekable<std::str::Chars<'a>>,
    joint: Joint,
}

/// What ends a word.
enum Break {
    Blank,
    /// The operator after the step.
    Step(Joint),
    End,
}

impl<'a> Splitter<'a> {
    fn new(text: &'a str) -> Splitter<'a> {
        Splitter { signs: text.chars().peekable(), joint: Joint::Then }
    }

    /// The next step that has words.
    fn step(&mut self) -> Option<Step> {
        loop {
            let joint = self.joint;
            let mut words = Vec::new();
            let end = loop {
                let (word, end) = self.word();
                words.extend(word);
                match end {
                    Break::Blank => {}
                    end => break end,
                }
            };
            let words = without_extras(words);
            let is_end = matches!(end, Break::End);
            if let Break::Step(joint) = end {
                self.joint = joint;
            }
            if !words.is_empty() {
                return Some(Step { joint, words });
            }
            if is_end {
                return None;
            }
        }
    }

    fn word(&mut self) -> (Option<String>, Break) {
        let mut word = String::new();
        let mut is_word = false;
        loop {
            let Some(sign) = self.signs.next() else { return (is_word.then_some(word), Break::End) };
            match sign {
                '\'' | '"' => {
                    is_word = true;
                    self.quoted(sign, &mut word);
                }
                '\\' => {
                    is_word = true;
                    if let Some(next) = self.signs.next().filter(|next| *next != '\n') {
                        word.push(next);
                    }
                }
                '#' if !is_word => while self.signs.next_if(|next| *next != '\n').is_some() {},
                ' ' | '\t' => return (is_word.then_some(word), Break::Blank),
                '\n' | ';' => return (is_word.then_some(word), Break::Step(Joint::Then)),
                '&' if word.ends_with(['>', '<']) || self.signs.peek() == Some(&'>') => word.push(sign),
                '&' if self.signs.next_if_eq(&'&').is_some() => {
                    return (is_word.then_some(word), Break::Step(Joint::And));
                }
                '&' => return (is_word.then_some(word), Break::Step(Joint::Then)),
                '|' if self.signs.next_if_eq(&'|').is_some() => {
                    return (is_word.then_some(word), Break::Step(Joint::Or));
                }
                '|' => {
                    self.signs.next_if_eq(&'&');
                    return (is_word.then_some(word), Break::Step(Joint::Pipe));
                }
                '(' | ')' if !is_word => {}
                ')' => return (is_word.then_some(word), Break::Blank),
                sign => {
                    is_word = true;
                    word.push(sign);
                }
            }
        }
    }

    fn quoted(&mut self, quote: char, word: &mut String) {
        while let Some(sign) = self.signs.next() {
            if sign == quote {
                return;
            }
            if sign == '\\' && quote == '"' {
                word.extend(self.signs.next());
            } else {
                word.push(sign);
            }
        }
    }
}

/// A step without assignments in front of it, redirects, and the words of the shell's own language.
fn without_extras(words: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut is_target = false;
    for word in words {
        if std::mem::take(&mut is_target) {
            continue;
        }
        let after_number = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        if after_number.starts_with(['>', '<']) || word.starts_with("&>") {
            is_target = after_number.trim_start_matches(['>', '<', '&', '-']).is_empty();
            continue;
        }
        let is_first = kept.is_empty();
        let is_keyword = matches!(
            word.as_str(),
            "{" | "}"
                | "!"
                | "if"
                | "then"
                | "else"
                | "elif"
                | "fi"
                | "do"
                | "done"
                | "while"
                | "until"
                | "time"
        );
        if is_first && (is_keyword || is_assignment(&word)) {
            continue;
        }
        kept.push(word);
    }
    kept
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|sign: char| sign.is_ascii_digit())
            && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
    })
}
