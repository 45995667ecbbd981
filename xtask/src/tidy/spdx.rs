//! Licence expressions: whether one can be satisfied by a list of licences alone. Knows `OR`, `AND`, `WITH`, parentheses
//! and the old `/` for `OR`; it knows no licence by itself, and versions such as `-or-later` are names like any other.

use std::fmt;

/// An expression that cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    expected: &'static str,
    found: Option<String>,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.found.as_deref().unwrap_or("the end");
        write!(formatter, "expected {}, found {found}", self.expected)
    }
}

/// Whether one may take the licence offered by the expression when only those in `allowed` are acceptable. A licence with
/// an exception is acceptable when it is listed with it, or without: an exception only ever gives more.
pub(crate) fn is_satisfiable(expression: &str, allowed: &[String]) -> Result<bool, Unreadable> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut reader = Reader { tokens: spaced.split_whitespace().collect(), next: 0, allowed };
    let satisfiable = reader.any()?;
    match reader.peek() {
        None => Ok(satisfiable),
        Some(_) => Err(reader.unreadable("OR, AND or the end")),
    }
}

struct Reader<'text> {
    tokens: Vec<&'text str>,
    next: usize,
    allowed: &'text [String],
}

impl<'text> Reader<'text> {
    fn peek(&self) -> Option<&'text str> {
        self.tokens.get(self.next).copied()
    }

    fn take(&mut self, token: &str) -> bool {
        let here = self.peek() == Some(token);
        self.next += usize::from(here);
        here
    }

    fn unreadable(&self, expected: &'static str) -> Unreadable {
        Unreadable { expected, found: self.peek().map(str::to_owned) }
    }

    fn any(&mut self) -> Result<bool, Unreadable> {
        let mut satisfiable = self.all()?;
        while self.take("OR") {
            satisfiable |= self.all()?;
        }
        Ok(satisfiable)
    }

    fn all(&mut self) -> Result<bool, Unreadable> {
        let mut satisfiable = self.one()?;
        while self.take("AND") {
            satisfiable &= self.one()?;
        }
        Ok(satisfiable)
    }

    fn one(&mut self) -> Result<bool, Unreadable> {
        if self.take("(") {
            let satisfiable = self.any()?;
            return if self.take(")") { Ok(satisfiable) } else { Err(self.unreadable(")")) };
        }
        let licence = self.name("a licence")?;
        let mut satisfiable = self.is_allowed(licence);
        if self.take("WITH") {
            let exception = self.name("an exception")?;
            satisfiable |= self.is_allowed(&format!("{licence} WITH {exception}"));
        }
        Ok(satisfiable)
    }

    fn name(&mut self, expected: &'static str) -> Result<&'text str, Unreadable> {
        match self.peek() {
            Some(name) if !["OR", "AND", "WITH", "(", ")"].contains(&name) => {
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.unreadable(expected)),
        }
    }

    fn is_allowed(&self, licence: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed == licence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(expression: &str) -> Result<bool, Unreadable> {
        let allowed = ["MIT", "Apache-2.0", "ISC", "GPL-2.0 WITH Classpath-exception-2.0"].map(str::to_owned);
        is_satisfiable(expression, &allowed)
    }

    #[test]
    fn expressions_are_judged_by_their_structure() {
        let table = [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0 AND MIT", false),
            ("MIT AND ISC", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0 / LGPL-2.1", false),
            ("(MIT OR GPL-3.0) AND ISC", true),
            ("MIT OR GPL-3.0 AND LGPL-2.1", true),
            ("(MIT OR GPL-3.0) AND LGPL-2.1", false),
            ("((MIT))", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("GPL-2.0 WITH Classpath-exception-2.0", true),
            ("GPL-2.0", false),
            ("GPL-2.0 WITH GCC-exception-2.0", false),
            ("LGPL-2.1-or-later OR MIT OR Apache-2.0", true),
        ];
        for (expression, expected) in table {
            assert_eq!(judge(expression), Ok(expected), "{expression}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_no_permission() {
        for expression in ["", "MIT OR", "OR MIT", "(MIT", "MIT)", "MIT ISC", "MIT WITH", "MIT AND AND ISC"] {
            assert!(judge(expression).is_err(), "{expression}");
        }
        let message = judge("(MIT OR ISC").unwrap_err().to_string();
        assert_eq!(message, "expected ), found the end");
    }
}
