//! Which words of a message are files.

/// Files without an extension that everybody knows by name, in lower case.
const BARE_FILES: &[&str] = &[
    "makefile",
    "gnumakefile",
    "dockerfile",
    "containerfile",
    "justfile",
    "rakefile",
    "gemfile",
    "procfile",
    "vagrantfile",
    "jenkinsfile",
    "brewfile",
    "license",
    "readme",
    "changelog",
    ".gitignore",
    ".env",
    ".editorconfig",
    ".dockerignore",
    ".gitattributes",
    ".npmrc",
    ".prettierrc",
    ".eslintrc",
    ".bashrc",
    ".flake8",
    "go.mod",
    "go.sum",
];

/// Extensions of files that are named without a folder.
const EXTENSIONS: &[&str] = &[
    "bash", "bat", "c", "cc", "cfg", "cjs", "cmake", "conf", "cpp", "cs", "css", "csv", "cxx", "dart",
    "diff", "erl", "exs", "fish", "go", "gradle", "graphql", "h", "hpp", "hs", "htm", "html", "ini", "ipynb",
    "java", "jl", "js", "json", "jsonl", "jsx", "kt", "kts", "less", "lock", "lua", "markdown", "md", "mjs",
    "mk", "ml", "nim", "nix", "patch", "php", "pl", "pm", "proto", "ps1", "py", "pyi", "pyx", "rb", "rs",
    "rst", "sass", "scala", "scss", "sh", "sql", "svelte", "svg", "swift", "tex", "tf", "toml", "ts", "tsx",
    "txt", "vue", "xml", "yaml", "yml", "zig", "zsh",
];

/// Longest path that is taken for one. Bytes.
const PATH_BYTES_MAX: usize = 300;

/// Whether a word, without quotation marks, names a file.
pub(crate) fn is_path(word: &str) -> bool {
    if word.is_empty() || word.len() > PATH_BYTES_MAX || word.contains("://") || word.starts_with('-') {
        return false;
    }
    let is_sign = |sign: char| sign.is_alphanumeric() || "_-./\\@+~[]$ ".contains(sign);
    if !word.chars().all(is_sign) || word.split_whitespace().count() != 1 {
        return false;
    }
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let lower = name.to_lowercase();
    if BARE_FILES.contains(&lower.as_str()) {
        return true;
    }
    let Some((stem, extension)) = lower.rsplit_once('.') else { return false };
    if !EXTENSIONS.contains(&extension) {
        return false;
    }
    !stem.is_empty() && !PRODUCTS.contains(&lower.as_str()) || word.contains('/') || lower == ".env"
}

/// Products whose names look like files.
const PRODUCTS: &[&str] = &[
    "node.js",
    "vue.js",
    "next.js",
    "react.js",
    "d3.js",
    "three.js",
    "express.js",
    "nuxt.js",
    "deno.js",
    "ember.js",
];
