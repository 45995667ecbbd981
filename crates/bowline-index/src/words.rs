//! Which texts can be names in a language.

use crate::language::Language;

const PYTHON: &str = "False None True and as assert async await break class continue def del elif else except finally for \
    from global if import in is lambda nonlocal not or pass raise return try while with yield";
const SCRIPT: &str = "await break case catch class const continue debugger default delete do else enum export extends false \
    finally for function if implements import in instanceof interface let new null package private protected public return \
    static super switch this throw true try typeof undefined var void while with yield arguments eval";
const RUST: &str = "Self abstract as async await become box break const continue crate do dyn else enum extern false final fn \
    for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try \
    type typeof unsafe unsized use virtual where while yield _";
const GO: &str = "break case chan const continue default defer else fallthrough for func go goto if import interface map \
    package range return select struct switch type var nil true false iota _";
const JAVA: &str = "abstract assert boolean break byte case catch char class const continue default do double else enum \
    extends false final finally float for goto if implements import instanceof int interface long native new null package \
    private protected public return short static strictfp super switch synchronized this throw throws transient true try var \
    void volatile while record yield _";
const C: &str = "auto bool break case catch char class const constexpr continue default delete do double else enum explicit \
    export extern false float for friend goto if inline int long mutable namespace new nullptr operator private protected \
    public register return short signed sizeof static struct switch template this throw true try typedef typename union \
    unsigned using virtual void volatile while";
const RUBY: &str = "BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module \
    next nil not or redo rescue retry return self super then true undef unless until when while yield";
const PHP: &str = "abstract and array as break callable case catch class clone const continue declare default die do echo else \
    elseif empty enum eval exit extends final finally fn for foreach function global goto if implements include instanceof \
    insteadof interface isset list match namespace new null or print private protected public readonly require return self \
    static switch this throw trait true false try unset use var while xor yield";
const LUA: &str = "and break do else elseif end false for function goto if in local nil not or repeat return then true until \
    while";
const BASH: &str = "case coproc do done elif else esac fi for function if in select then time until while break cd continue \
    echo eval exec exit export local read return set shift source test trap unset";

/// Whether a text can be the name of a definition.
pub(crate) fn is_name(language: Language, text: &str) -> bool {
    let keywords = match language {
        Language::Python => PYTHON,
        Language::JavaScript | Language::TypeScript | Language::Tsx => SCRIPT,
        Language::Rust => RUST,
        Language::Go => GO,
        Language::Java => JAVA,
        Language::C | Language::Cpp => C,
        Language::Ruby => RUBY,
        Language::Php => PHP,
        Language::Lua => LUA,
        Language::Bash => BASH,
        Language::Css | Language::Html | Language::Json | Language::Toml | Language::Yaml => return false,
    };
    if keywords.split_whitespace().any(|keyword| keyword == text) {
        return false;
    }
    let is_script = matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx);
    let is_start =
        |character: char| character.is_alphabetic() || character == '_' || is_script && character == '$';
    let is_rest = |character: char| {
        is_start(character) || character.is_alphanumeric() || language == Language::Bash && character == '-'
    };
    let mut characters = text.chars();
    characters.next().is_some_and(is_start) && characters.all(is_rest)
}
