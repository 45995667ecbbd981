//! Takes a model's text apart: the definition that was asked for, new ones beside it, imports, what is left out.

use super::document::{Document, FittedPlace, Statement, is_named, last, own_start};
use super::{RewriteRefused, front, lacks};
use crate::fit::{self, is_same};
use crate::imports::Import;
use crate::kinds::Kind;
use crate::language::Language;
use crate::place::Place;
use crate::places::places;
use crate::sites::has_word;
use crate::uses::{Reading, Role, Token};

pub(crate) struct Answer {
    document: Document,
    /// The text without a container around it, where it was read inside one.
    bare: Option<Document>,
    wanted: Place,
    /// New definitions in the order of the text.
    new: Vec<New>,
    /// Imports of the text, outside of definitions, that it uses.
    pub(crate) imports: Vec<Import>,
    pub(crate) left_out: Vec<String>,
}

struct New {
    place: Place,
    is_before: bool,
    /// Whether it belongs into the container of the place, or beside that.
    is_member: bool,
}

impl Answer {
    pub(crate) fn read(
        path: &str,
        content: &[u8],
        place: &Place,
        text: &str,
    ) -> Result<Answer, RewriteRefused> {
        let (document, wanted, bare) = document(path, content, place, text)?;
        let (new, imports, left_out) = (Vec::new(), Vec::new(), Vec::new());
        let mut answer = Answer { document, bare, wanted, new, imports, left_out };
        answer.sort_places(path, content, place)?;
        answer.sort_statements(path, content)?;
        answer.sort_imports(path, content);
        Ok(answer)
    }

    /// Which of the other definitions are new, and which stand in the file as they are.
    fn sort_places(&mut self, path: &str, content: &[u8], place: &Place) -> Result<(), RewriteRefused> {
        let file = places(path, content);
        let mut changed = Vec::new();
        let mut new = Vec::new();
        for found in self.document.places.iter().filter(|found| is_named(found.kind)) {
            if !self.is_beside(found) {
                continue;
            }
            let mut same = file.iter().filter(|other| is_alike(other, found));
            let text = own_text(self.document.text.as_bytes(), found);
            // Several implementations of a type have the same name.
            if same.clone().any(|other| is_same(&own_text(content, other), &text)) {
                continue;
            }
            match same.next() {
                Some(_) if is_example(found) => self.left_out.push(first_line(&text)),
                Some(other) => changed.push(other.path()),
                None if is_example(found) || self.is_unused(path, found) => {
                    self.left_out.push(first_line(&text));
                }
                // A variable below a method that was written without its class is an example, not a field.
                None if self.bare.is_some() && found.kind == Kind::Field && !self.reads(found, place) => {
                    self.left_out.push(first_line(&text));
                }
                None => new.push(found.clone()),
            }
        }
        if !changed.is_empty() {
            return Err(RewriteRefused::ChangesOthers { names: changed });
        }
        let wanted_text = self.document.text_of(&self.wanted).to_owned();
        let language = Language::of(path);
        self.new = new
            .into_iter()
            .map(|found| New {
                is_before: found.bytes.start < self.wanted.bytes.start,
                is_member: place.container.is_some()
                    && is_member(language, &self.document, &found, place, &wanted_text),
                place: found,
            })
            .collect();
        Ok(())
    }

    /// Whether a place stands beside the wanted one: not inside it, not around it, and in nothing else that is listed.
    fn is_beside(&self, found: &Place) -> bool {
        let contains = |outer: &Place, inner: &Place| {
            outer.bytes.start <= inner.bytes.start && inner.bytes.end <= outer.bytes.end
        };
        if contains(found, &self.wanted) || contains(&self.wanted, found) {
            return false;
        }
        let around = self.document.places.iter().filter(|outer| {
            contains(outer, found) && outer.bytes.len() > found.bytes.len() && is_named(outer.kind)
        });
        around.into_iter().all(|outer| contains(outer, &self.wanted))
    }

    /// Whether the definition reads a field of its own type by this name.
    fn reads(&self, field: &Place, place: &Place) -> bool {
        let text = self.document.text_of(&self.wanted);
        let owner = format!("{}.", last(place).unwrap_or_default());
        let objects = ["self.", "this.", "cls.", owner.as_str()];
        objects.iter().any(|object| has_word(text, &format!("{object}{}", field.name)))
    }

    /// A value that only an example uses: no definition of the text reads it.
    fn is_unused(&self, path: &str, found: &Place) -> bool {
        if found.kind != Kind::Constant {
            return false;
        }
        let Some(reading) = Reading::of(path, self.document.text.as_bytes()) else { return false };
        let tokens = reading.tokens(&found.name);
        let readers = self.document.places.iter().filter(|other| {
            is_named(other.kind) && other.kind != Kind::Constant || other.bytes == self.wanted.bytes
        });
        let is_hidden = |token: &Token| {
            tokens
                .iter()
                .filter_map(|other| other.holds.as_ref())
                .any(|holds| holds.around.start <= token.bytes.start && token.bytes.end <= holds.around.end)
        };
        let is_read = |reader: &Place| {
            tokens.iter().any(|token| {
                matches!(token.role, Role::Call | Role::Plain | Role::Shorthand)
                    && reader.bytes.start <= token.bytes.start
                    && token.bytes.end <= reader.bytes.end
                    && !is_hidden(token)
            })
        };
        !readers.into_iter().any(is_read)
    }

    fn sort_statements(&mut self, path: &str, content: &[u8]) -> Result<(), RewriteRefused> {
        let examples = match &self.bare {
            // A method alone is no statement.
            Some(bare) if !bare.is_sound => Ok(Vec::new()),
            Some(bare) => {
                let named = bare.places.iter().find(|found| found.name == self.wanted.name);
                named.map_or(Ok(Vec::new()), |found| examples(bare, path, content, found))
            }
            None => examples(&self.document, path, content, &self.wanted),
        };
        self.left_out.extend(examples.map_err(|line| RewriteRefused::Stray { line })?);
        Ok(())
    }

    fn sort_imports(&mut self, path: &str, content: &[u8]) {
        let kept = self.new.iter().map(|new| &new.place).chain(std::iter::once(&self.wanted));
        let kept: Vec<&str> = kept.map(|place| self.document.text_of(place)).collect();
        let written = self.bare.as_ref().unwrap_or(&self.document);
        self.imports = used_imports(written, path, content, &kept);
    }

    /// The lines that take the place of the old ones.
    pub(crate) fn region(&self, path: &str, content: &[u8], place: &Place) -> Vec<String> {
        let unit = fit::unit_of(&own_text(content, place));
        let unit = unit.or_else(|| fit::unit(&String::from_utf8_lossy(content)));
        let own = own_start(content, place);
        let first = String::from_utf8_lossy(content.get(own..).unwrap_or_default());
        let to = fit::indentation(first.lines().next().unwrap_or_default()).to_owned();
        let fitted = self.document.lines(&self.wanted, &to, unit);
        let mut blocks: Vec<Vec<String>> = Vec::new();
        let inside = |new: &&New| new.is_member || place.container.is_none();
        let block = |new: &New| {
            let FittedPlace { mut front, own } = self.document.lines(&new.place, &to, unit);
            front.extend(own);
            front
        };
        blocks.extend(self.new.iter().filter(inside).filter(|new| new.is_before).map(block));
        blocks.push(front::kept(path, content, place, (&self.document, &self.wanted), fitted));
        blocks.extend(self.new.iter().filter(inside).filter(|new| !new.is_before).map(block));
        let blank = blank_lines(path, place.container.is_some());
        let mut lines = Vec::new();
        for (index, block) in blocks.into_iter().enumerate() {
            if index > 0 {
                lines.extend(std::iter::repeat_n(String::new(), blank));
            }
            lines.extend(block);
        }
        lines
    }

    /// New definitions that do not belong into the container of the place go in front of it.
    pub(crate) fn put_outside(&self, path: &str, content: Vec<u8>, place: &Place) -> Vec<u8> {
        let outside: Vec<&New> =
            self.new.iter().filter(|new| !new.is_member && place.container.is_some()).collect();
        if outside.is_empty() {
            return content;
        }
        let all = places(path, &content);
        let around = all.iter().filter(|found| {
            found.container.is_none()
                && found.bytes.start <= place.bytes.start
                && place.bytes.start < found.bytes.end
        });
        let Some(at) = around.map(|found| found.bytes.start).min() else { return content };
        let unit = fit::unit(&String::from_utf8_lossy(&content));
        let line_break = fit::line_break(&content);
        let mut text = String::new();
        for new in outside {
            let FittedPlace { mut front, own } = self.document.lines(&new.place, "", unit);
            front.extend(own);
            text.push_str(&front.join(line_break));
            text.push_str(&line_break.repeat(1 + blank_lines(path, false)));
        }
        let (before, after) = content.split_at(at.min(content.len()));
        [before, text.as_bytes(), after].concat()
    }

    pub(crate) fn added_names(&self) -> Vec<String> {
        self.new.iter().map(|new| new.place.name.clone()).collect()
    }
}

/// The first lines of the statements that are examples of a definition, or the first line of one that is not.
pub(crate) fn examples(
    document: &Document,
    path: &str,
    content: &[u8],
    about: &Place,
) -> Result<Vec<String>, String> {
    let file = String::from_utf8_lossy(content);
    let lines: Vec<&str> = file.lines().map(str::trim).collect();
    let mut left_out = Vec::new();
    for statement in document.statements(path) {
        let is_known =
            file.contains(&statement.text) || statement.text.lines().all(|line| lines.contains(&line.trim()));
        // The head and the end of a container around the definition.
        let is_around =
            statement.start <= about.bytes.start && statement.start + statement.text.len() >= about.bytes.end;
        if is_known || is_around {
            continue;
        }
        if !is_example_statement(&statement, about) {
            return Err(first_line(&statement.text));
        }
        left_out.push(first_line(&statement.text));
    }
    Ok(left_out)
}

/// The imports of a text that what is taken over uses and the file lacks.
pub(crate) fn used_imports(document: &Document, path: &str, content: &[u8], kept: &[&str]) -> Vec<Import> {
    let known = crate::imports::imports(path, content);
    let is_inside = |import: &Import| {
        document.places.iter().any(|place| {
            is_named(place.kind)
                && place.bytes.start <= import.statement.start
                && import.statement.end <= place.bytes.end
        })
    };
    let is_used = |import: &Import| {
        let name = import.local.split('.').next().unwrap_or_default();
        !name.is_empty() && kept.iter().any(|text| has_word(text, name))
    };
    let is_known =
        |import: &Import| known.iter().any(|other| other.local == import.local && !import.local.is_empty());
    let is_self = |import: &Import| crate::imports::resolves(import, path, path);
    let imports = document
        .imports
        .iter()
        .filter(|import| !is_inside(import) && is_used(import) && !is_known(import) && !is_self(import));
    imports.cloned().collect()
}

/// The text as it is, or in the container of the place, and the definition in it; in the second case the text as it is, too.
fn document(
    path: &str,
    content: &[u8],
    place: &Place,
    text: &str,
) -> Result<(Document, Place, Option<Document>), RewriteRefused> {
    let one = |document: &Document| {
        let wanted = document.wanted(place);
        match wanted[..] {
            [] => Ok(None),
            [found] => Ok(Some(found.clone())),
            // As many as the file has: the text is the file, and the same one of them is meant.
            _ => {
                let all = places(path, content);
                let alike: Vec<&Place> = all.iter().filter(|other| is_alike(other, place)).collect();
                let at = alike.iter().position(|other| other.bytes == place.bytes);
                let found = at.filter(|_| alike.len() == wanted.len()).and_then(|at| wanted.get(at).copied());
                let several = || RewriteRefused::ChangesOthers { names: vec![place.path()] };
                found.map(|found| Some(found.clone())).ok_or_else(several)
            }
        }
    };
    let plain = Document::of(path, text);
    if let Some(found) = one(&plain)? {
        return Ok((plain, found, None));
    }
    let top = plain.places.iter().filter(|found| is_named(found.kind) && found.container.is_none());
    let defines: Vec<String> = top.map(Place::path).collect();
    let inside = plain.without_imports();
    // An entry of an object without a name of its own has no container, and is read where it stands.
    let is_entry = matches!(place.kind, Kind::Field | Kind::Variant);
    if place.container.is_none() && !is_entry {
        return Err(lacks(place, defines));
    }
    if let Some(wrapped) = Document::wrapped(path, content, place, &inside)
        && let Some(found) = one(&wrapped)?
    {
        return Ok((wrapped, found, Some(plain)));
    }
    // A container that can't stand alone, such as a method or an object: the file itself is the context.
    let Some((document, region)) = Document::spliced(path, content, place, &inside) else {
        return Err(lacks(place, defines));
    };
    let here: Vec<&Place> = document.wanted(place);
    let here =
        here.into_iter().filter(|found| region.start <= found.bytes.start && found.bytes.end <= region.end);
    match here.cloned().collect::<Vec<Place>>().as_slice() {
        [found] => Ok((document, found.clone(), Some(plain))),
        _ => Err(lacks(place, defines)),
    }
}

/// Whether two places have the same name, kind and container.
fn is_alike(one: &Place, other: &Place) -> bool {
    one.name == other.name && one.kind == other.kind && last(one) == last(other)
}

fn own_text(content: &[u8], place: &Place) -> String {
    let bytes = own_start(content, place)..place.bytes.end;
    String::from_utf8_lossy(content.get(bytes).unwrap_or_default()).into_owned()
}

pub(crate) fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().trim_end().to_owned()
}

/// A program or tests around the definition: nobody asked for them.
fn is_example(found: &Place) -> bool {
    let is_test = found.name.starts_with("test_") || found.name.starts_with("Test") || found.name == "tests";
    is_test && found.kind != Kind::Constant || found.kind == Kind::Function && found.name == "main"
}

/// A call, an assertion or a test for the main program, after the definition or about it.
pub(crate) fn is_example_statement(statement: &Statement, wanted: &Place) -> bool {
    let is_call = matches!(
        statement.inner.as_str(),
        "call"
            | "call_expression"
            | "await"
            | "await_expression"
            | "macro_invocation"
            | "method_invocation"
            | "function_call_expression"
            | "command_name"
    );
    let is_statement =
        matches!(statement.kind.as_str(), "expression_statement" | "command" | "call" | "function_call");
    let is_main = statement.kind == "if_statement"
        && (statement.text.contains("__name__") || statement.text.contains("require.main"));
    let is_about = has_word(&statement.text, &wanted.name) && statement.start >= wanted.bytes.end;
    is_statement && is_call
        || is_main
        || statement.kind == "assert_statement"
        || is_about && !statement.kind.contains("ERROR")
}

/// Whether a new definition belongs into the container of the place.
fn is_member(
    language: Option<Language>,
    document: &Document,
    found: &Place,
    place: &Place,
    wanted: &str,
) -> bool {
    // In a container of the text, it says so itself.
    if last(found) == last(place)
        && document.places.iter().any(|outer| {
            outer.body.is_some()
                && Some(outer.name.as_str()) == last(place)
                && outer.bytes.start < found.bytes.start
        })
        && !matches!(language, Some(Language::Python | Language::Rust | Language::Ruby))
    {
        return true;
    }
    let called_on = |object: &str| wanted.contains(&format!("{object}{}", found.name));
    let owner = last(place).unwrap_or_default();
    let is_called = ["self.", "this.", "cls.", "Self::"].iter().any(|object| called_on(object))
        || called_on(&format!("{owner}."))
        || called_on(&format!("{owner}::"));
    let head: String = found.head.split_whitespace().collect();
    let takes_self = head.contains("(self")
        || head.contains("(cls")
        || head.contains("(&self")
        || head.contains("(&mutself")
        || head.contains("(mutself");
    is_called || takes_self || matches!(found.kind, Kind::Field | Kind::Variant)
}

/// How many blank lines stand between two definitions.
pub(crate) fn blank_lines(path: &str, is_inner: bool) -> usize {
    if Language::of(path) == Some(Language::Python) && !is_inner { 2 } else { 1 }
}
