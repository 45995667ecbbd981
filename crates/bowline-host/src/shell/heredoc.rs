//! Here-documents. The grammar's idea of where one ends is checked line by line, and one whose text is expanded may hold
//! only what can be looked into.

use bowline_core::policy::command::Part;
use tree_sitter::Node;

use super::words::{Words, is_plain_expansion, is_plain_sum, names_in};
use super::{Clear, Reader, unclear};

impl Reader<'_> {
    pub(super) fn heredoc(&mut self, node: Node<'_>, part: &mut Part, depth: usize) -> Clear<()> {
        self.heredocs += 1;
        if self.heredocs > 1 {
            return unclear("it has more than one here-document");
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let (mut start, mut body, mut end) = (None, None, None);
        let mut keeps_tabs = true;
        for child in children {
            match child.kind() {
                "<<" => {}
                "<<-" => keeps_tabs = false,
                "heredoc_start" => start = Some(child),
                "heredoc_body" => body = Some(child),
                "heredoc_end" => end = Some(child),
                "file_redirect" => self.file_redirect(child, part, depth)?,
                "pipeline" => self.statements(child, depth + 1)?,
                "\n" => {}
                _ => return unclear("what stands beside the here-document is not clear"),
            }
        }
        let (Some(start), Some(end)) = (start, end) else {
            return unclear("where its here-document ends is not clear");
        };
        let (name, is_quoted) = unquoted(self.source(start));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return unclear("where its here-document ends is not clear");
        }
        if self.source(end).trim_start_matches('\t') != name || !self.ends_there(start, end, name, keeps_tabs)
        {
            return unclear("where its here-document ends is not clear");
        }
        match body {
            Some(body) if !is_quoted => self.expanded(body, depth),
            _ => Ok(()),
        }
    }

    /// Whether the first line that is the name alone is where the grammar ends it.
    fn ends_there(&self, start: Node<'_>, end: Node<'_>, name: &str, keeps_tabs: bool) -> bool {
        let mut at = self.text.get(start.end_byte()..).and_then(|rest| rest.find('\n')).unwrap_or_default();
        at += start.end_byte() + 1;
        for line in self.text.get(at..).unwrap_or_default().split('\n') {
            let plain = if keeps_tabs { line } else { line.trim_start_matches('\t') };
            if plain == name {
                let place = at + line.len() - plain.len();
                return (at..=place).contains(&end.start_byte()) && end.end_byte() == at + line.len();
            }
            at += line.len() + 1;
        }
        false
    }

    /// A body in which variables and commands are put in.
    fn expanded(&mut self, body: Node<'_>, depth: usize) -> Clear<()> {
        let source = self.source(body);
        if source.contains('`') || source.contains('\\') {
            return unclear("what its here-document expands to is not clear");
        }
        let mut cursor = body.walk();
        let children: Vec<Node<'_>> = body.children(&mut cursor).collect();
        let mut rest = source.to_owned();
        for child in children.into_iter().filter(Node::is_named) {
            let text = self.source(child);
            if child.kind().ends_with("expansion") {
                self.expands.extend(names_in(text));
            }
            let is_plain = match child.kind() {
                "simple_expansion" => true,
                "expansion" => is_plain_expansion(text),
                "arithmetic_expansion" => {
                    self.has_sum = true;
                    is_plain_sum(text)
                }
                "command_substitution" => {
                    let mut found = Words::default();
                    found.look(self.text, child, depth)?;
                    self.substituted(child, depth)?;
                    true
                }
                "heredoc_content" => continue,
                _ => false,
            };
            if !is_plain {
                return unclear("what its here-document expands to is not clear");
            }
            rest = rest.replacen(text, "", 1);
        }
        if rest.contains("$(") || rest.contains("${") {
            return unclear("what its here-document expands to is not clear");
        }
        Ok(())
    }
}

/// The name, and whether it is quoted as a whole.
fn unquoted(start: &str) -> (&str, bool) {
    for quote in ['\'', '"'] {
        if let Some(name) = start.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return (name, true);
        }
    }
    (start, false)
}
