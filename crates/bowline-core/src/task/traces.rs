//! Reads the tracebacks and compiler messages that are pasted into a message, line by line.
//!
//! Frames come out with the outermost first, whatever the language prints first. A line that belongs to such output is
//! marked, so that its words are not taken for the user's.

pub(crate) mod compiler;
pub(crate) mod frame;

use super::{Frame, Location};

/// Frames that are kept: the innermost ones.
const FRAMES_MAX: usize = 40;
/// Places of compiler messages that are kept: the first ones.
const LOCATIONS_MAX: usize = 40;
/// An error message. Bytes.
const ERROR_BYTES_MAX: usize = 500;

#[derive(Debug, Default)]
pub(crate) struct Traces {
    pub frames: Vec<Frame>,
    pub error: Option<String>,
    pub locations: Vec<Location>,
    /// For each line, whether it belongs to the output of a program.
    pub is_output: Vec<bool>,
}

/// What the lines before this one started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Within {
    #[default]
    Nothing,
    /// Python frames: lines of code, then the error.
    Python,
    /// A Rust panic whose message is on the next line.
    RustMessage,
    /// The numbered frames of a Rust backtrace.
    Rust,
    Go,
    Php,
    /// A compiler's message, which shows lines of code below it.
    Compiler,
}

#[derive(Default)]
struct Reader {
    traces: Traces,
    within: Within,
    /// The frames of one traceback that prints the innermost first.
    upward: Vec<Frame>,
    /// The function named on the line above its place.
    above: Option<frame::Function>,
    /// The file that the lines below belong to, as eslint prints it.
    file: Option<String>,
    previous: Option<(usize, String)>,
}

/// Reads all lines of a message.
pub(crate) fn traces(lines: &[&str]) -> Traces {
    let mut reader = Reader::default();
    for (at, line) in lines.iter().enumerate() {
        let line = line.strip_prefix("> ").unwrap_or(line);
        let is_output = reader.line(line);
        reader.traces.is_output.push(is_output);
        if !line.trim().is_empty() {
            reader.previous = Some((at, line.trim().to_owned()));
        }
    }
    reader.flush();
    let mut traces = reader.traces;
    let surplus = traces.frames.len().saturating_sub(FRAMES_MAX);
    traces.frames.drain(..surplus);
    traces.locations.truncate(LOCATIONS_MAX);
    traces
}

impl Reader {
    fn line(&mut self, line: &str) -> bool {
        let text = line.trim();
        if text.is_empty() {
            return false;
        }
        self.continued(line, text)
            || self.python(text)
            || self.rust(text)
            || self.at_frame(text)
            || self.go(line, text)
            || self.ruby(text)
            || self.php(text)
            || self.bash(text)
            || self.pytest(text)
            || self.compiled(line, text)
            || frame::is_noise(text)
    }

    fn flush(&mut self) {
        self.upward.reverse();
        self.traces.frames.append(&mut self.upward);
        self.above = None;
    }

    fn set_error(&mut self, text: &str) {
        let mut end = text.len().min(ERROR_BYTES_MAX);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text.get(..end).unwrap_or("").trim();
        if !text.is_empty() {
            self.traces.error = Some(text.to_owned());
        }
    }

    /// A line that belongs to the one before it.
    fn continued(&mut self, line: &str, text: &str) -> bool {
        let is_indented = line.starts_with("  ") || line.starts_with('\t');
        match self.within {
            Within::Python => {
                if text.contains("File \"") {
                    return false;
                }
                if is_indented || text.starts_with("[Previous line repeated") {
                    return true;
                }
                self.within = Within::Nothing;
                if frame::is_exception(text) {
                    self.set_error(text);
                    return true;
                }
                false
            }
            Within::RustMessage => {
                self.within = Within::Rust;
                self.set_error(text);
                true
            }
            Within::Compiler if is_indented && !text.starts_with("at ") && self.file.is_none() => {
                !text.starts_with("-->") && frame::eslint(text).is_none()
            }
            _ => false,
        }
    }

    fn python(&mut self, text: &str) -> bool {
        if text.starts_with("Traceback (most recent call last)") && !text.contains("File \"") {
            self.flush();
            self.within = Within::Python;
            return true;
        }
        let mut rest = text;
        let mut has_any = false;
        while let Some((frame, after)) = frame::python(rest) {
            if !has_any {
                self.flush();
            }
            self.traces.frames.push(frame);
            has_any = true;
            rest = after;
            if self.traces.frames.len() > 2 * FRAMES_MAX {
                self.traces.frames.drain(..FRAMES_MAX);
            }
        }
        if has_any {
            self.within = Within::Python;
            if frame::is_exception(rest.trim()) {
                self.set_error(rest);
            }
        }
        has_any
    }

    fn rust(&mut self, text: &str) -> bool {
        if let Some((frame, message)) = frame::panicked(text) {
            self.flush();
            self.upward.push(frame);
            self.within = Within::RustMessage;
            if let Some(message) = message {
                self.set_error(message);
                self.within = Within::Rust;
            }
            return true;
        }
        if self.within != Within::Rust {
            return false;
        }
        if let Some(function) = frame::numbered(text) {
            self.above = function;
            return true;
        }
        false
    }

    /// A line that starts with `at`: V8, Java, C#, and Rust below a numbered line.
    fn at_frame(&mut self, text: &str) -> bool {
        let Some(place) = text.strip_prefix("at ") else { return false };
        if frame::is_inside_runtime(place) {
            self.above = None;
            return true;
        }
        let Some(mut frame) = frame::at(place) else { return false };
        if let Some((owner, function)) = self.above.take() {
            frame.owner = owner;
            frame.function = Some(function);
        }
        if self.within != Within::Rust {
            if let Some((at, error)) = self.previous.take()
                && let Some(error) = frame::error_above(&error)
            {
                self.flush();
                self.set_error(error);
                if let Some(is_output) = self.traces.is_output.get_mut(at) {
                    *is_output = true;
                }
            }
            self.within = Within::Nothing;
        } else if let [panic] = self.upward.as_slice()
            && panic.function.is_none()
            && panic.line == frame.line
            && frame.path.trim_start_matches("./").ends_with(panic.path.trim_start_matches("./"))
        {
            self.upward.clear();
        }
        self.upward.push(frame);
        true
    }

    fn go(&mut self, line: &str, text: &str) -> bool {
        if let Some(message) = text.strip_prefix("panic: ") {
            self.flush();
            self.set_error(message);
            self.within = Within::Go;
            return true;
        }
        let is_header = text.starts_with("goroutine ") && text.contains('[') && text.ends_with(':');
        if is_header {
            self.within = Within::Go;
            return true;
        }
        if self.within != Within::Go {
            return false;
        }
        if let Some(mut frame) = frame::go_place(text).filter(|_| line.starts_with(['\t', ' '])) {
            if let Some((owner, function)) = self.above.take() {
                frame.owner = owner;
                frame.function = Some(function);
            }
            if !frame.path.contains("/src/runtime/") {
                self.upward.push(frame);
            }
            return true;
        }
        self.above = frame::go_function(text);
        self.above.is_some() || text.starts_with("exit status") || text.starts_with("[signal")
    }

    fn ruby(&mut self, text: &str) -> bool {
        let Some((frame, message)) = frame::ruby(text) else { return false };
        if let Some(message) = message {
            self.flush();
            self.set_error(message);
        }
        self.upward.push(frame);
        true
    }

    fn php(&mut self, text: &str) -> bool {
        if let Some((frame, message)) = frame::php_error(text) {
            self.flush();
            self.set_error(message);
            self.upward.push(frame);
            self.within = Within::Php;
            return true;
        }
        if self.within != Within::Php {
            return false;
        }
        if let Some((frame, called)) = frame::php(text) {
            // PHP names the function that was called at a place, which is the one that the frame before is in.
            if let (Some(inner), Some((owner, function))) = (self.upward.last_mut(), called) {
                inner.owner = owner;
                inner.function = Some(function);
            }
            self.upward.extend(frame);
            return true;
        }
        text.starts_with("Stack trace:") || text.starts_with("thrown in")
    }

    fn bash(&mut self, text: &str) -> bool {
        let Some((frame, message)) = frame::shell(text) else { return false };
        self.flush();
        self.set_error(message);
        self.traces.frames.push(frame);
        true
    }

    fn pytest(&mut self, text: &str) -> bool {
        if let Some(message) = text.strip_prefix("E   ") {
            if self.traces.error.is_none() || frame::is_exception(message.trim()) {
                self.set_error(message);
            }
            return true;
        }
        let Some(frame) = frame::pytest(text) else { return false };
        self.flush();
        self.traces.frames.push(frame);
        true
    }

    fn compiled(&mut self, line: &str, text: &str) -> bool {
        if self.traces.locations.len() > LOCATIONS_MAX {
            return compiler::location(text).is_some();
        }
        let location = compiler::location(text).or_else(|| {
            let (line_number, column, message) = frame::eslint(text)?;
            let path = self.file.clone()?;
            Some(compiler::named(path, line_number, Some(column), message))
        });
        if let Some(mut location) = location {
            if let Some((_, above)) = self.previous.as_ref().filter(|_| text.starts_with("-->"))
                && compiler::is_headline(above)
            {
                location.severity = compiler::severity(above);
                location.message = compiler::message(above);
            }
            self.traces.locations.push(location);
            self.within = Within::Compiler;
            return true;
        }
        let is_alone = !line.starts_with([' ', '\t']) && super::paths::is_path(text) && text.contains('/');
        if is_alone {
            self.file = Some(text.to_owned());
            return false;
        }
        if compiler::is_headline(text) {
            self.file = None;
            self.within = Within::Compiler;
            if self.traces.error.is_none() && compiler::severity(text) == super::Severity::Error {
                self.set_error(text);
            }
            return true;
        }
        false
    }
}
