//! One line of a traceback in the form of each language.
//!
//! Each function takes a line without the white space around it and gives back nothing if it has another form.

use super::super::Frame;
use super::super::names::is_identifier;

/// A function with the type or module it belongs to, where that is told.
pub(crate) type Function = (Option<String>, String);

const PATH_BYTES_MAX: usize = 400;

fn frame(path: &str, line: u32, function: Option<Function>) -> Option<Frame> {
    let path = path.trim().trim_start_matches("file://");
    if path.is_empty() || path.len() > PATH_BYTES_MAX || path.starts_with('<') {
        return None;
    }
    let (owner, function) = function.map_or((None, None), |(owner, function)| (owner, Some(function)));
    Some(Frame { path: path.to_owned(), line, function, owner })
}

/// `12:5` or `12` at the end of a place: the path, the line, and the column if there is one.
pub(crate) fn place(text: &str) -> Option<(&str, u32, Option<u32>)> {
    let (rest, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    if let Some((path, line)) = rest.rsplit_once(':')
        && let Ok(line) = line.parse()
    {
        return Some((path, line, Some(last)));
    }
    Some((rest, last, None))
}

/// The last part of a qualified name, and the part before it. `<module>` and closures are no functions.
fn function(name: &str) -> Option<Function> {
    let name = name.split(" [as ").next().unwrap_or(name).trim();
    let name = name.trim_start_matches("async ").trim_start_matches("new ");
    let name = name.replace("::{{closure}}", "").replace("::{closure#0}", "");
    let mut parts = name.split(['.', ':', '#', '>', '$', '/', '\\']).map(|part| {
        let part = part.trim_matches(['(', ')', '*', '-', '<', ' ']);
        part.split(['(', '[', '<']).next().unwrap_or(part)
    });
    let mut owner = None;
    let mut last = None;
    for part in parts.by_ref().filter(|part| !part.is_empty()) {
        owner = last.replace(part).filter(|part| is_identifier(part));
    }
    let last =
        last.filter(|part| is_identifier(part) && *part != "anonymous" && !name.contains("<anonymous>"))?;
    let owner = owner.filter(|owner| !matches!(*owner, "Object" | "main" | "Module"));
    Some((owner.map(str::to_owned), last.to_owned()))
}

/// `File "cart.py", line 12, in total`, anywhere in the text, and what follows it.
pub(crate) fn python(text: &str) -> Option<(Frame, &str)> {
    let (_, rest) = text.split_once("File \"")?;
    let (path, rest) = rest.split_once("\", line ")?;
    let digits = rest.len() - rest.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    let line = rest.get(..digits)?.parse().ok()?;
    let mut rest = rest.get(digits..)?;
    let mut called = None;
    if let Some(after) = rest.strip_prefix(", in ") {
        let end = after.find(|sign: char| sign.is_whitespace() || sign == ',').unwrap_or(after.len());
        let name = after.get(..end)?;
        called = if name.starts_with('<') { None } else { function(name) };
        rest = after.get(end..)?;
    }
    Some((frame(path, line, called)?, rest))
}

/// Whether a line is the error at the end of a traceback: `KeyError: 'x'`, `json.decoder.JSONDecodeError: …`.
pub(crate) fn is_exception(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or(text).trim();
    let is_chain = !name.is_empty() && name.split('.').all(is_identifier);
    let is_named = ["Error", "Exception", "Warning", "Exit", "Interrupt", "Iteration", "NotFound", "Failed"]
        .iter()
        .any(|end| name.ends_with(end));
    is_chain
        && (is_named
            || text.contains(": ") && name.starts_with(|sign: char| sign.is_uppercase())
            || name.contains('.'))
}

/// The error that stands above the first frame of V8, Java or C#.
pub(crate) fn error_above(text: &str) -> Option<&str> {
    let text = text.strip_prefix("Caused by: ").unwrap_or(text);
    let text = text.strip_prefix("Unhandled exception. ").unwrap_or(text);
    let text = text.strip_prefix("Uncaught ").unwrap_or(text);
    let text = match text.strip_prefix("Exception in thread ") {
        Some(rest) => rest.split_once("\" ").map_or(rest, |(_, error)| error),
        None => text,
    };
    is_exception(text).then_some(text)
}

/// `thread 'main' panicked at src/main.rs:10:5:` with the message on the next line, or the older form with it inside.
pub(crate) fn panicked(text: &str) -> Option<(Frame, Option<&str>)> {
    let (_, rest) = text.split_once("panicked at ")?;
    if !text.starts_with("thread '") {
        return None;
    }
    if let Some(message) = rest.strip_prefix('\'') {
        let (message, at) = message.rsplit_once("', ")?;
        let (path, line, _) = place(at.trim_end_matches(':'))?;
        return Some((frame(path, line, None)?, Some(message)));
    }
    let (path, line, _) = place(rest.trim_end_matches(':'))?;
    Some((frame(path, line, None)?, None))
}

/// `3: cart::total` of a Rust backtrace.
pub(crate) fn numbered(text: &str) -> Option<Option<Function>> {
    let (number, name) = text.split_once(": ")?;
    number.parse::<u32>().ok()?;
    let name = name.split("::h").next().filter(|_| name.len() > 20).unwrap_or(name);
    Some(function(name))
}

pub(crate) fn is_inside_runtime(place: &str) -> bool {
    ["node:", "(node:", "/rustc/", "java.base/", "internal/", "<anonymous>"]
        .iter()
        .any(|start| place.starts_with(start))
        || place.contains(" (node:")
        || place.contains("(internal/")
        || place.contains("(<anonymous>)")
        || place.contains("/.cargo/registry/")
        || place.contains("(Native Method)")
}

/// What follows `at ` in the frames of V8, Java, C# and Rust.
pub(crate) fn at(text: &str) -> Option<Frame> {
    if let Some((name, rest)) = text.split_once(" in ")
        && let Some((path, line)) = rest.rsplit_once(":line ")
    {
        return frame(path, line.trim().parse().ok()?, function(name.split('(').next()?));
    }
    if let Some((name, rest)) = text.split_once('(') {
        let inner = rest.strip_suffix(')')?;
        let (path, line, _) = place(inner)?;
        return frame(path, line, function(name));
    }
    let text = text.strip_prefix("async ").unwrap_or(text);
    let (path, line, _) = place(text)?;
    let is_file = path.contains('.') && !path.contains(' ') || path.contains('/');
    if is_file { frame(path, line, None) } else { None }
}

/// `/home/me/cart.go:12 +0x1d`.
pub(crate) fn go_place(text: &str) -> Option<Frame> {
    let text = text.split(" +0x").next().unwrap_or(text);
    let (path, line, _) = place(text)?;
    if path.ends_with(".go") { frame(path, line, None) } else { None }
}

/// `main.(*Cart).Total(0xc000, …)`, `main.main()`.
pub(crate) fn go_function(text: &str) -> Option<Function> {
    let text = text
        .strip_prefix("created by ")
        .map_or(text, |text| text.split(" in goroutine").next().unwrap_or(text));
    let name = if text.ends_with(')') { text.get(..text.rfind('(')?)? } else { text };
    if name.contains(' ') { None } else { function(name) }
}

/// ``cart.rb:12:in `total': undefined method (NoMethodError)``, and the lines below it that start with `from`.
pub(crate) fn ruby(text: &str) -> Option<(Frame, Option<&str>)> {
    let text = text.strip_prefix("from ").unwrap_or(text);
    let (at, rest) = text.split_once(":in ")?;
    let (path, line) = at.rsplit_once(':')?;
    let rest = rest.strip_prefix(['`', '\''])?;
    let (name, rest) = rest.split_once('\'')?;
    let name = name.trim_start_matches("block in ").trim_start_matches("rescue in ");
    let called = if name.starts_with('<') { None } else { function(name) };
    Some((frame(path, line.parse().ok()?, called)?, rest.strip_prefix(": ").map(str::trim)))
}

/// `PHP Fatal error:  Uncaught TypeError: … in /app/cart.php:12`, or `… on line 12`.
pub(crate) fn php_error(text: &str) -> Option<(Frame, &str)> {
    let is_php = text.contains("Uncaught ")
        || ["PHP ", "Fatal error: ", "Warning: ", "Parse error: "]
            .iter()
            .any(|start| text.starts_with(start));
    let (message, at) = text.rsplit_once(" in ").filter(|_| is_php)?;
    let (path, line) = match at.split_once(" on line ") {
        Some((path, line)) => (path, line.trim().parse().ok()?),
        None => place(at).map(|(path, line, _)| (path, line))?,
    };
    let message = match message.split_once("Uncaught ") {
        Some((_, message)) => message,
        None => message.split_once(": ").map_or(message, |(_, message)| message.trim()),
    };
    let is_file = path.ends_with(".php") || path.contains('/');
    if is_file { Some((frame(path, line, None)?, message)) } else { None }
}

/// `#0 /app/index.php(20): Cart->total(Array)`, `#1 {main}`.
pub(crate) fn php(text: &str) -> Option<(Option<Frame>, Option<Function>)> {
    let rest = text.strip_prefix('#')?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    if rest.starts_with('{') {
        return Some((None, None));
    }
    let (path, rest) = rest.split_once('(')?;
    let (line, called) = rest.split_once("): ")?;
    let name = called.split('(').next()?;
    Some((frame(path, line.parse().ok()?, None), function(name)))
}

/// `./deploy.sh: line 12: foo: command not found` of bash, `deploy.sh: 12: foo: not found` of the plain shell.
pub(crate) fn shell(text: &str) -> Option<(Frame, &str)> {
    let (path, rest) = text.split_once(": ")?;
    let is_script = rest.starts_with("line ") || path.ends_with(".sh");
    let (line, message) = rest.strip_prefix("line ").unwrap_or(rest).split_once(": ")?;
    if path.contains(char::is_whitespace) || !is_script {
        return None;
    }
    Some((frame(path, line.parse().ok()?, None)?, message))
}

/// `tests/test_cart.py:8: in test_total`, `cart.py:3: KeyError`.
pub(crate) fn pytest(text: &str) -> Option<Frame> {
    let (at, rest) = text.split_once(": ")?;
    let (path, line) = at.rsplit_once(':')?;
    if !path.ends_with(".py") || path.contains(' ') {
        return None;
    }
    let line = line.parse().ok()?;
    match rest.strip_prefix("in ") {
        Some(name) => frame(path, line, function(name)),
        None if is_identifier(rest) && is_exception(rest) => frame(path, line, None),
        None => None,
    }
}

/// `12:5  error  Missing semicolon  semi` below the path of a file.
pub(crate) fn eslint(text: &str) -> Option<(u32, u32, &str)> {
    let (at, rest) = text.split_once(' ')?;
    let (line, column) = at.split_once(':')?;
    let rest = rest.trim_start();
    let is_message = rest.starts_with("error ") || rest.starts_with("warning ");
    if is_message { Some((line.parse().ok()?, column.parse().ok()?, rest)) } else { None }
}

/// Lines of output that say nothing by themselves.
pub(crate) fn is_noise(text: &str) -> bool {
    let is_ruler = text.len() >= 4 && text.chars().all(|sign| "=-_^~*. |".contains(sign)) || text == "^";
    let starts = [
        "During handling of the above exception",
        "The above exception was the direct cause",
        "stack backtrace:",
        "note: run with `RUST_BACKTRACE",
        "note: Some details are omitted",
        "Node.js v",
        "FAILED ",
        "exit status ",
        "test result: ",
        "npm ERR!",
        "... ",
    ];
    let is_shown_code =
        text.trim_start_matches(|sign: char| sign.is_ascii_digit()).trim_start().starts_with("| ");
    is_ruler || is_shown_code || starts.iter().any(|start| text.starts_with(start))
}
