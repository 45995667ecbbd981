//! A shell command read by a real grammar into the parts the rules judge.
//!
//! Commands are run by `sh`, and the grammar is that of bash, which is nearly a superset; where the two differ, and where
//! the grammar is known to be lenient, the command is *unclear*, and somebody is asked. So only kinds of nodes that are
//! listed here pass; what stands between two nodes must be blanks; and each word is read a second time by another parser
//! (`shell-words`), which must find exactly one word there.
//!
//! What always holds: no text panics, and no program is left out of the parts of a command that is clear.

mod brackets;
mod heredoc;
mod loops;
mod words;

use bowline_core::policy::command::{Assignment, Command, Mode, Part, Position, Redirect, Word};
use tree_sitter::{Node, Parser};

use words::{Bound, Words};

/// A longer command is asked about unread. Bytes.
const TEXT_BYTES_MAX: usize = 16_384;
/// How deep substitutions and blocks may be nested.
const DEPTH_MAX: usize = 40;
/// Parts of a command, where the body of a loop counts once for each value.
const PARTS_MAX: usize = 500;

/// Why a command could not be understood, for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unclear(String);

type Clear<T> = Result<T, Unclear>;

fn unclear<T>(why: impl Into<String>) -> Clear<T> {
    Err(Unclear(why.into()))
}

/// Reads a command.
pub fn parse(text: &str) -> Command {
    Command { text: text.to_owned(), parts: parts(text).map_err(|unclear| unclear.0) }
}

fn parts(text: &str) -> Clear<Vec<Part>> {
    if text.len() > TEXT_BYTES_MAX {
        return unclear("the command is too long to be looked through");
    }
    // A control character is a blank to the grammar and a letter to the shell.
    if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')) {
        return unclear("it has control characters in it");
    }
    if text.contains(|c: char| c.is_whitespace() && !matches!(c, ' ' | '\n' | '\t')) {
        return unclear("it contains blanks that the shell does not treat as blanks");
    }
    if is_beyond_table(text) {
        return unclear("it has a character behind `{` that the grammar cannot take");
    }
    let mut parser = Parser::new();
    let tree = match parser.set_language(&tree_sitter_bash::LANGUAGE.into()) {
        Ok(()) => parser.parse(text, None),
        Err(_) => None,
    };
    let Some(tree) = tree else { return unclear("it could not be read") };
    let root = tree.root_node();
    if root.has_error() {
        return unclear("it could not be read as a shell command");
    }
    let mut reader = Reader { text, ..Reader::default() };
    reader.statements(root, 0)?;
    reader.check_sums()?;
    reader.check_tests()?;
    reader.finish();
    if blank(text, 0, root.start_byte()) && blank(text, root.end_byte(), text.len()) {
        Ok(reader.parts)
    } else {
        unclear("it could not be read to its end")
    }
}

/// Whether the grammar would look up a character in a table that is too short for it (`isdigit` of C, behind `{` and `{1..`), which
/// can end the whole process.
fn is_beyond_table(text: &str) -> bool {
    let is_wide = |rest: &str| rest.starts_with(|c: char| !c.is_ascii());
    text.split('{').skip(1).any(|rest| {
        let first = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let last = first.strip_prefix("..").unwrap_or_default();
        is_wide(first) || is_wide(last.trim_start_matches(|c: char| c.is_ascii_digit()))
    })
}

/// Whether only blanks stand between two places.
fn blank(text: &str, from: usize, to: usize) -> bool {
    let between = text.get(from..to).unwrap_or("?");
    between.replace("\\\n", "").chars().all(|c| matches!(c, ' ' | '\t' | '\n'))
}

#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    parts: Vec<Part>,
    heredocs: usize,
    /// Whether a variable is reckoned with.
    has_sum: bool,
    /// Whether a part reads something other than what a pipe brings.
    has_input: bool,
    /// Where the parts that are read now stand.
    position: Position,
    /// Variables of loops around what is read now, with the value of this round.
    bound: Vec<(String, Bound)>,
    /// Variables that were expanded since the last part.
    expands: Vec<String>,
}

/// Tokens between statements that mean the same to every shell.
const TOKENS: &[&str] = &[
    ";", "&", "|", "&&", "||", "\n", "(", ")", "{", "}", "!", "if", "then", "elif", "else", "fi", "while",
    "until", "do", "done", "for", "in", "$(",
];

impl<'t> Reader<'t> {
    fn source(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The children of a node, with only blanks between them.
    fn children<'n>(&self, node: Node<'n>) -> Clear<Vec<Node<'n>>> {
        let mut cursor = node.walk();
        let children: Vec<Node<'n>> = node.children(&mut cursor).collect();
        let mut at = node.start_byte();
        for child in &children {
            if !blank(self.text, at, child.start_byte()) {
                return unclear("there is something in it that could not be read");
            }
            at = child.end_byte();
        }
        if blank(self.text, at, node.end_byte()) {
            Ok(children)
        } else {
            unclear("there is something in it that could not be read")
        }
    }

    /// The same, all on one line: to the shell a line break ends a command, whatever the grammar makes of it.
    fn children_of_line<'n>(&self, node: Node<'n>) -> Clear<Vec<Node<'n>>> {
        let children = self.children(node)?;
        let ends_line = |from: usize, to: usize| {
            self.text.get(from..to).is_none_or(|gap| gap.replace("\\\n", "").contains('\n'))
        };
        let is_broken = children.windows(2).any(|pair| ends_line(pair[0].end_byte(), pair[1].start_byte()));
        if is_broken { unclear("where one of its commands ends is not clear") } else { Ok(children) }
    }

    fn statements(&mut self, node: Node<'_>, depth: usize) -> Clear<()> {
        if depth > DEPTH_MAX {
            return unclear("it is nested too deeply");
        }
        for child in self.children(node)? {
            if child.is_named() {
                self.statement(child, depth + 1)?;
            } else if !TOKENS.contains(&child.kind()) {
                return unclear(format!("`{}` is not the same to every shell", child.kind()));
            }
        }
        Ok(())
    }

    fn statement(&mut self, node: Node<'_>, depth: usize) -> Clear<()> {
        if self.parts.len() > PARTS_MAX {
            return unclear("it has too many parts");
        }
        match node.kind() {
            "pipeline" => self.pipeline(node, depth),
            "list" | "compound_statement" | "subshell" | "do_group" | "elif_clause" | "else_clause"
            | "negated_command" => self.statements(node, depth),
            "if_statement" | "while_statement" => self.nested(|reader| reader.statements(node, depth)),
            "for_statement" => self.nested(|reader| reader.loops(node, depth)),
            "comment" => self.comment(node),
            "command" => {
                let part = self.command(node, depth)?;
                self.push(part);
                Ok(())
            }
            "variable_assignment" | "variable_assignments" => {
                let mut part = self.part();
                self.assignments(node, &mut part, depth)?;
                self.push(part);
                Ok(())
            }
            "redirected_statement" => self.redirected(node, depth),
            "test_command" => self.test(node, depth),
            "declaration_command" | "unset_command" => self.declaration(node, depth),
            "function_definition" => unclear("it defines a function"),
            kind => unclear(format!("{} is not looked into", kind.replace('_', " "))),
        }
    }

    /// Reads what may run several times, or not at all.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Clear<()>) -> Clear<()> {
        let outer = std::mem::replace(&mut self.position, Position::Nested);
        let done = read(self);
        self.position = outer;
        done
    }

    fn part(&self) -> Part {
        Part { position: self.position, ..Part::default() }
    }

    fn push(&mut self, part: Part) {
        let expands = std::mem::take(&mut self.expands);
        self.parts.push(Part { expands, ..part });
    }

    /// A part that is one program knows which one it reads from.
    fn pipeline(&mut self, node: Node<'_>, depth: usize) -> Clear<()> {
        let mut before: Option<Part> = None;
        for child in self.children(node)? {
            if !child.is_named() {
                if !TOKENS.contains(&child.kind()) {
                    return unclear(format!("`{}` is not the same to every shell", child.kind()));
                }
                continue;
            }
            self.statement(child, depth + 1)?;
            let last = self.parts.last_mut().filter(|_| is_one_program(child));
            before = last.map(|part| {
                part.reads_from = before.take().map(Box::new);
                part.clone()
            });
        }
        Ok(())
    }

    /// Variables that no part took up belong to one without words; a redirect may have changed what a pipe brings.
    fn finish(&mut self) {
        if !self.expands.is_empty() {
            let part = self.part();
            self.push(part);
        }
        if self.has_input || self.heredocs > 0 {
            self.parts.iter_mut().for_each(|part| part.reads_from = None);
        }
    }

    /// A comment begins a line, or stands after a blank; elsewhere `#` is a letter.
    fn comment(&self, node: Node<'_>) -> Clear<()> {
        let before = self.text.get(..node.start_byte()).unwrap_or_default();
        if before.is_empty() || before.ends_with([' ', '\t', '\n']) && !before.ends_with("\\\n") {
            Ok(())
        } else {
            unclear("whether `#` begins a comment in it is not clear")
        }
    }

    fn command(&mut self, node: Node<'_>, depth: usize) -> Clear<Part> {
        let mut part = self.part();
        for child in self.children_of_line(node)? {
            match child.kind() {
                "variable_assignment" => self.assignments(child, &mut part, depth)?,
                "file_redirect" => self.file_redirect(child, &mut part, depth)?,
                "command_name" => {
                    let name = child.child(0).filter(|_| child.child_count() == 1);
                    let Some(name) = name else { return unclear("what program it runs is not clear") };
                    part.words.push(self.word(name, depth)?);
                }
                "$" => part.words.push(Word::Known("$".to_owned())),
                _ if child.is_named() => part.words.push(self.word(child, depth)?),
                other => return unclear(format!("`{other}` is not the same to every shell")),
            }
        }
        Ok(part)
    }

    fn assignments(&mut self, node: Node<'_>, part: &mut Part, depth: usize) -> Clear<()> {
        if node.kind() == "variable_assignments" {
            for child in self.children_of_line(node)? {
                self.assignments(child, part, depth)?;
            }
            return Ok(());
        }
        let children = self.children_of_line(node)?;
        let (Some(name), Some(sign)) = (children.first(), children.get(1)) else {
            return unclear("what it sets is not clear");
        };
        if name.kind() != "variable_name" || sign.kind() != "=" || children.len() > 3 {
            return unclear("what it sets is not the same to every shell");
        }
        let value = match children.get(2) {
            None => Word::Known(String::new()),
            Some(value) if value.start_byte() == value.end_byte() => Word::Known(String::new()),
            Some(value) if value.start_byte() == sign.end_byte() => self.word(*value, depth)?,
            Some(_) => return unclear("what it sets is not clear"),
        };
        part.assignments.push(Assignment { name: self.source(*name).to_owned(), value });
        Ok(())
    }

    fn redirected(&mut self, node: Node<'_>, depth: usize) -> Clear<()> {
        let mut part = self.part();
        for child in self.children(node)? {
            match child.kind() {
                "file_redirect" => self.file_redirect(child, &mut part, depth)?,
                "heredoc_redirect" => self.heredoc(child, &mut part, depth)?,
                "command" => {
                    let command = self.command(child, depth)?;
                    part.assignments.extend(command.assignments);
                    part.words.extend(command.words);
                    part.redirects.extend(command.redirects);
                }
                "herestring_redirect" => return unclear("`<<<` is not known to every shell"),
                _ if child.is_named() => self.statement(child, depth + 1)?,
                other => return unclear(format!("`{other}` is not the same to every shell")),
            }
        }
        self.push(part);
        Ok(())
    }

    fn file_redirect(&mut self, node: Node<'_>, part: &mut Part, depth: usize) -> Clear<()> {
        let mut mode = None;
        let mut targets = Vec::new();
        for child in self.children_of_line(node)? {
            match child.kind() {
                "file_descriptor" if self.source(child).chars().all(|c| c.is_ascii_digit()) => {}
                "<" => {
                    self.has_input = true;
                    mode = Some(Mode::Read);
                }
                ">" | ">>" | ">|" | "&>" | "&>>" => mode = Some(Mode::Write),
                "<&" | "<&-" => self.has_input = true,
                ">&" | ">&-" => {}
                _ if child.is_named() => targets.push(self.word(child, depth)?),
                other => return unclear(format!("`{other}` is not the same to every shell")),
            }
        }
        let is_number = |word: &Word| {
            word.known().is_some_and(|word| word == "-" || word.chars().all(|c| c.is_ascii_digit()))
        };
        match (mode, targets.as_slice()) {
            (Some(mode), [target]) => {
                part.redirects.push(Redirect { mode, target: target.clone() });
                Ok(())
            }
            (None, []) => Ok(()),
            (None, [target]) if is_number(target) => Ok(()),
            _ => unclear("where it redirects to is not clear"),
        }
    }

    /// `export A=1`, `unset x`: programs to the rules.
    fn declaration(&mut self, node: Node<'_>, depth: usize) -> Clear<()> {
        let mut part = self.part();
        for (at, child) in self.children_of_line(node)?.into_iter().enumerate() {
            match child.kind() {
                "variable_assignment" => self.assignments(child, &mut part, depth)?,
                "variable_name" => part.words.push(Word::Known(self.source(child).to_owned())),
                kind if at == 0 => part.words.push(Word::Known(kind.to_owned())),
                _ if child.is_named() => part.words.push(self.word(child, depth)?),
                other => return unclear(format!("`{other}` is not the same to every shell")),
            }
        }
        self.push(part);
        Ok(())
    }

    /// One word, and the commands that are substituted into it.
    fn word(&mut self, node: Node<'_>, depth: usize) -> Clear<Word> {
        let mut found = Words::with(&self.bound);
        found.look(self.text, node, depth)?;
        let word = found.word(self.text, node);
        let (substituted, has_sum, expands) = (found.substituted, found.has_sum, found.expands);
        self.has_sum |= has_sum;
        self.expands.extend(expands);
        for inner in &substituted {
            self.substituted(*inner, depth)?;
        }
        word
    }

    /// A command whose output is put into a word: its parts are its own.
    fn substituted(&mut self, node: Node<'_>, depth: usize) -> Clear<()> {
        let outer = std::mem::take(&mut self.expands);
        self.statements(node, depth + 1)?;
        self.expands.splice(0..0, outer);
        Ok(())
    }
}

/// Whether a stage of a pipeline is one program, with redirects at most.
fn is_one_program(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    match node.kind() {
        "command" => true,
        "redirected_statement" => {
            node.named_children(&mut cursor).all(|child| matches!(child.kind(), "command" | "file_redirect"))
        }
        _ => false,
    }
}
