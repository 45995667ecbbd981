//! A message of the user's, with which parts of it the user typed.
//!
//! Pure. It goes with the text wherever the chat puts it: to the session, into the queue, into the history and back into the
//! input. What always holds: a part that was not typed does not become a typed one on the way.

use bowline_core::typed::{Origin, Typed};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Written {
    text: String,
    typed: Typed,
}

impl Written {
    pub(crate) fn new(text: String, typed: Typed) -> Written {
        Written { text, typed }
    }

    /// A text that was typed as a whole.
    pub(crate) fn typed(text: &str) -> Written {
        Written { text: text.to_owned(), typed: Typed::all(text) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_parts(self) -> (String, Typed) {
        (self.text, self.typed)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn is_typed(&self) -> bool {
        self.parts().iter().all(|(_, origin)| *origin == Origin::Typed)
    }

    /// All of it, part by part.
    pub(crate) fn parts(&self) -> Vec<(&str, Origin)> {
        self.typed.parts(&self.text)
    }

    pub(crate) fn push(&mut self, part: &str, origin: Origin) {
        let start = self.text.len();
        self.text.push_str(part);
        if origin == Origin::Typed {
            self.typed.add(start..self.text.len());
        }
    }

    /// Another message behind it, after an empty line if there is anything before it.
    pub(crate) fn append(&mut self, other: &Written) {
        if !self.is_empty() {
            self.push("\n\n", Origin::Typed);
        }
        other.parts().into_iter().for_each(|(part, origin)| self.push(part, origin));
    }

    /// Each part as another text.
    pub(crate) fn map(&self, change: impl Fn(&str) -> String) -> Written {
        let mut changed = Written::default();
        self.parts().into_iter().for_each(|(part, origin)| changed.push(&change(part), origin));
        changed
    }

    /// Without blanks at the end.
    pub(crate) fn trim_end(&self) -> Written {
        let end = self.text.trim_end().len();
        let mut trimmed = Written::default();
        for (part, origin) in self.parts() {
            let left = end - trimmed.text.len();
            trimmed.push(part.get(..left).unwrap_or(part), origin);
        }
        trimmed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_typed_stays_so() {
        let mut message = Written::typed("see @a.txt: ");
        message.push("make test\n", Origin::Elsewhere);
        message.push(" \n", Origin::Typed);
        let plain = message.trim_end().map(|part| part.replace('@', ""));
        assert_eq!(plain.parts(), [("see a.txt: ", Origin::Typed), ("make test", Origin::Elsewhere)]);
        let mut two = plain.clone();
        two.append(&plain);
        let both = [
            ("see a.txt: ", Origin::Typed),
            ("make test", Origin::Elsewhere),
            ("\n\nsee a.txt: ", Origin::Typed),
            ("make test", Origin::Elsewhere),
        ];
        assert_eq!(two.parts(), both);
        assert!(!two.is_typed() && Written::typed("a").is_typed() && Written::default().is_typed());
    }
}
