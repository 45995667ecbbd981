//! The languages that are coloured: their keywords, comments and quotes.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Language {
    names: &'static [&'static str],
    /// Between blanks.
    keywords: &'static str,
    pub(super) comments: &'static [&'static str],
    pub(super) block: Option<(&'static str, &'static str)>,
    /// Longer ones first.
    pub(super) quotes: &'static [Quote],
    pub(super) keys: Keys,
    /// A single quote may stand alone.
    pub(super) has_lifetimes: bool,
    has_any_case: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) mark: &'static str,
    /// It may go on in the next line.
    pub(super) is_long: bool,
}

/// Where a language of data has its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    None,
    /// At the start of a line, before this mark.
    Before(char),
    /// Strings before a colon.
    Strings,
    /// No keys: each line says what it is by its first character.
    Diff,
}

impl Language {
    pub(super) fn is_keyword(&self, word: &str) -> bool {
        let is_it = |keyword: &str| {
            if self.has_any_case { keyword.eq_ignore_ascii_case(word) } else { keyword == word }
        };
        self.keywords.split_ascii_whitespace().any(is_it)
    }
}

pub(super) fn find(word: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.names.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

const DOUBLE: Quote = Quote { mark: "\"", is_long: false };
const SINGLE: Quote = Quote { mark: "'", is_long: false };
const BACKTICK: Quote = Quote { mark: "`", is_long: true };
const THREE_DOUBLE: Quote = Quote { mark: "\"\"\"", is_long: true };
const THREE_SINGLE: Quote = Quote { mark: "'''", is_long: true };

/// Like C, as most are.
const LIKE_C: Language = Language {
    names: &[],
    keywords: "",
    comments: &["//"],
    block: Some(("/*", "*/")),
    quotes: &[DOUBLE, SINGLE],
    keys: Keys::None,
    has_lifetimes: false,
    has_any_case: false,
};

const LIKE_SHELL: Language = Language { comments: &["#"], block: None, ..LIKE_C };

static LANGUAGES: [Language; 13] = [
    Language {
        names: &["rust", "rs"],
        keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
                   match mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
        quotes: &[DOUBLE, SINGLE],
        has_lifetimes: true,
        ..LIKE_C
    },
    Language {
        names: &["python", "py", "python3"],
        keywords: "and as assert async await break case class continue def del elif else except False finally for from \
                   global if import in is lambda match None nonlocal not or pass raise return True try while with yield",
        quotes: &[THREE_DOUBLE, THREE_SINGLE, DOUBLE, SINGLE],
        ..LIKE_SHELL
    },
    Language {
        names: &["javascript", "js", "jsx", "typescript", "ts", "tsx", "mjs"],
        keywords: "abstract any as async await boolean break case catch class const continue debugger declare default \
                   delete do else enum export extends false finally for from function get if implements import in \
                   instanceof interface let namespace new null number of private protected public readonly return set \
                   static string super switch this throw true try type typeof undefined var void while yield",
        quotes: &[DOUBLE, SINGLE, BACKTICK],
        ..LIKE_C
    },
    Language {
        names: &["go", "golang"],
        keywords: "any bool break byte case chan const continue default defer else error fallthrough false for func go \
                   goto if import int interface map nil package range return rune select string struct switch true \
                   type var",
        quotes: &[DOUBLE, SINGLE, BACKTICK],
        ..LIKE_C
    },
    Language {
        names: &["c", "h", "cpp", "c++", "cc", "hpp", "cxx"],
        keywords: "auto bool break case catch char class const constexpr continue default delete do double else enum \
                   explicit extern false final float for friend if inline int long namespace new noexcept nullptr \
                   operator override private protected public return short signed sizeof static struct switch template \
                   this throw true try typedef typename union unsigned using virtual void volatile while",
        ..LIKE_C
    },
    Language {
        names: &["java", "kotlin", "kt", "csharp", "cs", "c#", "swift", "scala"],
        keywords: "abstract as async await boolean break byte case catch char class const continue data default do \
                   double else enum extends false final finally float for fun func guard if implements import in int \
                   interface internal is let long namespace new null object override package private protected public \
                   return sealed short static string struct super switch this throw throws true try using val var void \
                   when while",
        quotes: &[THREE_DOUBLE, DOUBLE, SINGLE],
        ..LIKE_C
    },
    Language {
        names: &["sh", "bash", "shell", "zsh", "console", "fish", "dockerfile", "make", "makefile"],
        keywords: "case cd do done echo elif else esac exit export fi for function if in local read return set shift \
                   source then unset until while FROM RUN COPY ENV ENTRYPOINT CMD WORKDIR",
        ..LIKE_SHELL
    },
    Language {
        names: &["ruby", "rb", "perl", "pl", "php", "elixir"],
        keywords: "alias and begin break case class def do else elsif end ensure false for foreach function if in \
                   module my next nil not or redo rescue retry return self sub super then true undef unless until use \
                   when while yield",
        ..LIKE_SHELL
    },
    Language {
        names: &["sql", "postgresql", "sqlite", "mysql"],
        keywords: "add all alter and as asc begin between by case check column commit constraint create cross default \
                   delete desc distinct drop else end exists foreign from full group having if in index inner insert \
                   into is join key left like limit not null offset on or order outer primary references returning \
                   right rollback select set table then transaction union unique update using values view when where \
                   with",
        comments: &["--"],
        quotes: &[SINGLE, DOUBLE],
        has_any_case: true,
        ..LIKE_C
    },
    Language {
        names: &["toml", "ini", "cfg", "conf", "properties", "env"],
        keywords: "true false",
        quotes: &[THREE_DOUBLE, THREE_SINGLE, DOUBLE, SINGLE],
        keys: Keys::Before('='),
        ..LIKE_SHELL
    },
    Language {
        names: &["yaml", "yml"],
        keywords: "true false null yes no",
        keys: Keys::Before(':'),
        ..LIKE_SHELL
    },
    Language {
        names: &["json", "jsonc", "json5", "jsonl"],
        keywords: "true false null",
        quotes: &[DOUBLE],
        keys: Keys::Strings,
        ..LIKE_C
    },
    Language {
        names: &["diff", "patch"],
        keys: Keys::Diff,
        comments: &[],
        block: None,
        quotes: &[],
        ..LIKE_C
    },
];
