//! What a place can be.

/// What a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    Function,
    /// A class, a structure, an interface, an enumeration, an alias.
    Type,
    /// What belongs to a type and stands elsewhere: `impl Shop`.
    Implementation,
    Module,
    Macro,
    /// A named value outside any function: a constant, a static, a variable of a module or script.
    Constant,
    /// A named value of a type: a field, a property, a class constant.
    Field,
    /// A function that is declared here and defined elsewhere: a prototype of C.
    Declaration,
    /// One of the values of an enumeration.
    Variant,
    /// A key with its value in JSON, TOML or YAML.
    Entry,
    /// A rule of CSS or of a makefile.
    Rule,
    /// An element of HTML.
    Element,
    /// What stands under a heading: of Markdown, a table of TOML, a section of an ini file.
    Section,
    /// Lines of text between blank lines.
    Paragraph,
    /// Lines of code that define nothing: imports, statements between definitions.
    Block,
}

impl Kind {
    /// One lowercase word, for a user or a model.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::Type => "type",
            Kind::Implementation => "implementation",
            Kind::Module => "module",
            Kind::Macro => "macro",
            Kind::Constant => "constant",
            Kind::Field => "field",
            Kind::Declaration => "declaration",
            Kind::Variant => "variant",
            Kind::Entry => "entry",
            Kind::Rule => "rule",
            Kind::Element => "element",
            Kind::Section => "section",
            Kind::Paragraph => "paragraph",
            Kind::Block => "block",
        }
    }

    /// Whether it is code with a name and usually a body: what [`definitions`](crate::definitions) lists.
    pub fn is_definition(self) -> bool {
        matches!(self, Kind::Function | Kind::Type | Kind::Implementation | Kind::Module | Kind::Macro)
    }
}
