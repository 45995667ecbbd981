//! The expressions that a pasted traceback marks with carets below its lines of code, as Python prints them.

/// Marks that are kept: the last ones, which are the innermost.
const MARKS_MAX: usize = 10;
/// A single caret marks a position and no expression.
const CARETS_MIN: usize = 2;

/// The marked expressions, the innermost first.
pub fn marked(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let expression = |pair: &[&str]| {
        let [code, mark] = pair else { return None };
        let signs = mark.trim();
        let is_mark = signs.len() >= CARETS_MIN
            && signs.contains('^')
            && signs.chars().all(|sign| matches!(sign, '^' | '~'));
        let start = mark.chars().count() - mark.trim_start().chars().count();
        let marked: String = code.chars().skip(start).take(signs.len()).collect();
        let marked = marked.trim();
        // A name alone, or a number, says too little to be found again.
        let is_plain = marked.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
        (is_mark && !is_plain).then(|| marked.to_owned())
    };
    lines.windows(2).rev().filter_map(expression).take(MARKS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn carets_mark_an_expression() {
        let text = "  File \"a.py\", line 3, in load\n    total = total + int(count)\n                    ^^^^^^^^^^\n";
        assert_eq!(marked(text), ["int(count)"]);
        assert_eq!(marked("    return items[0]\n           ~~~~~^^^\n"), ["items[0]"]);
        assert!(marked("  const { from } = config.quiet;\n          ^\n").is_empty());
        assert!(marked("    return count\n           ^^^^^\n").is_empty());
        assert!(marked("Heading\n^^^^^^^\n").is_empty());
        assert!(marked("").is_empty());
    }
}
