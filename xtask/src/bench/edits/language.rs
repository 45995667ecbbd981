//! Which files are taken, by the end of their names.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Language {
    Rust,
    Python,
    TypeScript,
    JavaScript,
    C,
    Go,
    Other,
}

const FILE_BYTES_MAX: usize = 400_000;
/// A line longer than that was written by a program.
const LINE_BYTES_MAX: usize = 1_000;

impl Language {
    pub(crate) fn of(path: &str) -> Option<Language> {
        let (_, end) = path.rsplit('/').next()?.rsplit_once('.')?;
        match end {
            "rs" => Some(Language::Rust),
            "py" | "pyi" => Some(Language::Python),
            "ts" | "tsx" | "mts" => Some(Language::TypeScript),
            "js" | "mjs" | "cjs" | "jsx" => Some(Language::JavaScript),
            "c" | "h" | "cc" | "cpp" | "hpp" => Some(Language::C),
            "go" => Some(Language::Go),
            "java" | "rb" | "php" | "kt" | "swift" | "cs" | "sh" | "toml" | "yml" | "yaml" | "md" => {
                Some(Language::Other)
            }
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Language::Rust => "Rust",
            Language::Python => "Python",
            Language::TypeScript => "TypeScript",
            Language::JavaScript => "JavaScript",
            Language::C => "C",
            Language::Go => "Go",
            Language::Other => "other",
        }
    }
}

/// A file's text, if people write such files.
pub(crate) fn readable(bytes: Vec<u8>) -> Option<String> {
    if bytes.len() > FILE_BYTES_MAX {
        return None;
    }
    let text = String::from_utf8(bytes).ok()?;
    let is_written = text.lines().all(|line| line.len() <= LINE_BYTES_MAX) && !text.contains('\r');
    (is_written && text.ends_with('\n')).then_some(text)
}
