//! Which language a file is in, by its name alone, and the grammar of it.

use tree_sitter_language::LanguageFn;

/// A language there is a grammar for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    Bash,
    C,
    Cpp,
    Css,
    Go,
    Html,
    Java,
    JavaScript,
    Json,
    Lua,
    Php,
    Python,
    Ruby,
    Rust,
    Toml,
    Tsx,
    TypeScript,
    Yaml,
}

impl Language {
    /// The language of a file of this name; none where it is not known for sure.
    ///
    /// ```
    /// use bowline_index::Language;
    ///
    /// assert_eq!(Language::of("web/src/App.tsx"), Some(Language::Tsx));
    /// assert_eq!(Language::of("Rakefile"), Some(Language::Ruby));
    /// assert_eq!(Language::of("Makefile"), None);
    /// ```
    pub fn of(path: &str) -> Option<Language> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        match name {
            "Rakefile" | "Gemfile" => return Some(Language::Ruby),
            ".bashrc" | ".bash_profile" | ".profile" => return Some(Language::Bash),
            "Cargo.lock" => return Some(Language::Toml),
            _ => {}
        }
        let (stem, extension) = name.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        Some(match extension.to_ascii_lowercase().as_str() {
            "sh" | "bash" => Language::Bash,
            "c" | "h" => Language::C,
            "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" => Language::Cpp,
            "css" => Language::Css,
            "go" => Language::Go,
            "html" | "htm" => Language::Html,
            "java" => Language::Java,
            "js" | "jsx" | "mjs" | "cjs" => Language::JavaScript,
            "json" => Language::Json,
            "lua" => Language::Lua,
            "php" => Language::Php,
            "py" | "pyi" => Language::Python,
            "rb" | "rake" | "gemspec" => Language::Ruby,
            "rs" => Language::Rust,
            "toml" => Language::Toml,
            "tsx" => Language::Tsx,
            "ts" | "mts" | "cts" => Language::TypeScript,
            "yaml" | "yml" => Language::Yaml,
            _ => return None,
        })
    }

    /// What the language is called after the opening of a code fence.
    ///
    /// ```
    /// use bowline_index::Language;
    ///
    /// assert_eq!(Language::Cpp.word(), "cpp");
    /// ```
    pub fn word(self) -> &'static str {
        match self {
            Language::Bash => "bash",
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Css => "css",
            Language::Go => "go",
            Language::Html => "html",
            Language::Java => "java",
            Language::JavaScript => "javascript",
            Language::Json => "json",
            Language::Lua => "lua",
            Language::Php => "php",
            Language::Python => "python",
            Language::Ruby => "ruby",
            Language::Rust => "rust",
            Language::Toml => "toml",
            Language::Tsx => "tsx",
            Language::TypeScript => "typescript",
            Language::Yaml => "yaml",
        }
    }

    pub(crate) fn grammar(self) -> LanguageFn {
        match self {
            Language::Bash => tree_sitter_bash::LANGUAGE,
            Language::C => tree_sitter_c::LANGUAGE,
            Language::Cpp => tree_sitter_cpp::LANGUAGE,
            Language::Css => tree_sitter_css::LANGUAGE,
            Language::Go => tree_sitter_go::LANGUAGE,
            Language::Html => tree_sitter_html::LANGUAGE,
            Language::Java => tree_sitter_java::LANGUAGE,
            Language::JavaScript => tree_sitter_javascript::LANGUAGE,
            Language::Json => tree_sitter_json::LANGUAGE,
            Language::Lua => tree_sitter_lua::LANGUAGE,
            Language::Php => tree_sitter_php::LANGUAGE_PHP,
            Language::Python => tree_sitter_python::LANGUAGE,
            Language::Ruby => tree_sitter_ruby::LANGUAGE,
            Language::Rust => tree_sitter_rust::LANGUAGE,
            Language::Toml => tree_sitter_toml_ng::LANGUAGE,
            Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX,
            Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
            Language::Yaml => tree_sitter_yaml::LANGUAGE,
        }
    }
}
