//! The parts of a command, one by one; the strictest counts.

use super::command::{Mode, Part, Position, Redirect, Word};
use super::folders::{self, Enters};
use super::paths::{PathKind, Place, ProjectFiles, Refused, RunsIn};
use super::pattern::{Reach, literal};
use super::project_checks::ProjectChecks;
use super::wrappers::{self, Inner};
use super::{Rules, Ruling, Verdict, always, by_rule, environment, git, read_only, sed, xargs};

/// Folders a command may be in after its `cd`s; past this many it is asked about.
const FOLDERS_MAX: usize = 8;
/// Programs that start programs that start programs.
const WRAPS_MAX: usize = 4;
/// Programs that make their user somebody else.
const PRIVILEGED: &[&str] = &["sudo", "doas", "su", "pkexec", "run0"];
/// Programs that write the files among their arguments.
const WRITERS: &[&str] = &[
    "rm", "mv", "cp", "ln", "tee", "touch", "mkdir", "rmdir", "chmod", "chown", "truncate", "shred",
    "unlink", "install",
];
pub(super) fn judge(
    rules: &Rules,
    parts: &[Part],
    project_checks: &ProjectChecks,
    project_files: &dyn ProjectFiles,
) -> Ruling {
    let mut folders = vec![".".to_owned()];
    let mut is_lost = false;
    // In a loop a `cd` also changes the folder of what stands above it.
    for part in parts.iter().filter(|part| part.position == Position::Nested) {
        let here = RunsIn { project_files, folders: &folders };
        match folders::enters(part, &here) {
            Enters::Nothing => {}
            Enters::Folders(more) => extend(&mut folders, more),
            Enters::Unknown => is_lost = true,
        }
    }
    let mut whole = Ruling::new(Verdict::Allow, "");
    for part in parts {
        let judge = Judge { rules, project_checks, here: RunsIn { project_files, folders: &folders } };
        let mut ruling = judge.part(part, WRAPS_MAX);
        if is_lost {
            ruling = stricter(ruling, Ruling::new(Verdict::Ask, "in what folder it runs is not clear"));
        }
        match folders::enters(part, &judge.here) {
            Enters::Nothing => {}
            Enters::Folders(more) => extend(&mut folders, more),
            Enters::Unknown => is_lost = true,
        }
        if folders.len() > FOLDERS_MAX {
            ruling = stricter(ruling, Ruling::new(Verdict::Ask, "it changes the folder too often"));
        }
        whole = stricter(whole, ruling);
    }
    if whole.why.is_empty() {
        whole.why = "there is nothing in it to run".to_owned();
    }
    whole
}

fn extend(folders: &mut Vec<String>, more: Vec<String>) {
    folders.extend(more);
    folders.dedup();
    folders.truncate(FOLDERS_MAX + 1);
}

/// The stricter of two, with what both of them would need. One shell runs all parts, so the widest profile holds for it.
fn stricter(first: Ruling, second: Ruling) -> Ruling {
    let is_second = second.verdict > first.verdict || first.why.is_empty();
    let (mut kept, other) = if is_second { (second, first) } else { (first, second) };
    kept.profile = kept.profile.max(other.profile);
    if other.verdict == Verdict::Ask && kept.verdict == Verdict::Ask {
        if other.patterns.is_empty() || kept.patterns.is_empty() {
            // One of them has no pattern of its own: only the whole command can stand for both.
            kept.patterns.clear();
        } else {
            let more: Vec<String> =
                other.patterns.into_iter().filter(|pattern| !kept.patterns.contains(pattern)).collect();
            kept.patterns.extend(more);
        }
    }
    kept
}

struct Judge<'a> {
    rules: &'a Rules,
    project_checks: &'a ProjectChecks,
    here: RunsIn<'a>,
}

impl Judge<'_> {
    fn part(&self, part: &Part, wraps: usize) -> Ruling {
        let mut ruling = self.words(part, wraps);
        for redirect in &part.redirects {
            ruling = stricter(ruling, self.redirect(redirect));
        }
        ruling
    }

    /// Program and arguments: what a rule says of them, else the table. What they start in turn can only make it stricter
    /// where that is refused.
    fn words(&self, part: &Part, wraps: usize) -> Ruling {
        let assigned: Vec<String> =
            part.assignments.iter().filter_map(|set| environment::matters(set, part)).collect();
        let rule = self.rules.last(|rule| rule.fits_part(&assigned, part));
        let enters = wrappers::enters(part).is_some();
        let inner = match wrappers::unwrap(part) {
            Inner::None => None,
            _ if enters => Some(Ruling::new(
                Verdict::Ask,
                format!("whether `{}` changes the folder is not clear: write a plain cd", part.shown()),
            )),
            _ if wraps == 0 => Some(Ruling::new(Verdict::Ask, "it starts programs that start programs")),
            Inner::Unclear => Some(Ruling::new(
                Verdict::Ask,
                format!("what {} starts is not clear", part.program().unwrap_or_default()),
            )),
            Inner::Part(inner) => Some(self.part(&inner, wraps - 1)),
        };
        if let Some(inner) = &inner
            && inner.verdict == Verdict::Deny
        {
            return inner.clone();
        }
        let mut ruling = match (rule, inner) {
            (Some(rule), _) => by_rule(rule),
            (None, Some(inner)) => inner,
            (None, None) => match self.built_in(part, &assigned) {
                Ok(why) => Ruling::new(Verdict::Allow, why),
                Err(refused) => Ruling::new(refused.verdict, refused.why),
            },
        };
        if ruling.verdict == Verdict::Ask && ruling.patterns.is_empty() && !enters {
            ruling.patterns.extend(always::of_part(&assigned, part, self.is_known(part)));
        }
        ruling
    }

    /// Whether the table has it, with the right flags: then no more than these words is to be allowed for longer.
    fn is_known(&self, part: &Part) -> bool {
        git::looks(part)
            || read_only::judge(part, &self.here).is_some()
            || super::project_checks::judge(part, self.project_checks, &self.here).is_some()
    }

    /// What the table says, if nothing goes into the words that nobody may see.
    fn built_in(&self, part: &Part, assigned: &[String]) -> Result<String, Refused> {
        let why = self.by_table(part, assigned)?;
        environment::shows(part).map(|()| why)
    }

    fn by_table(&self, part: &Part, assigned: &[String]) -> Result<String, Refused> {
        let Some(first) = part.words.first() else {
            return match assigned.first() {
                None => Ok("it only sets variables or files up".to_owned()),
                Some(set) => Err(Refused::ask(format!("{set} may change what programs do"))),
            };
        };
        let program = part.program().ok_or_else(|| Refused::dynamic(first))?;
        if PRIVILEGED.contains(&program) {
            return Err(Refused::deny(format!(
                "{program} is not for tools: do it without, or leave it to the user"
            )));
        }
        self.own_files(program, part)?;
        if let Some(set) = assigned.first() {
            return Err(Refused::ask(format!("{set} may change what {program} does")));
        }
        let judged = match program {
            "sed" => Some(sed::judge(part, &self.here)),
            "git" => Some(git::judge(part, self.project_checks, &self.here)),
            "cd" => return folders::cd(part, &self.here).map(|()| "it stays in the project".to_owned()),
            "read" | "unset" | "readonly" => Some(environment::names_are_small(part)),
            "export" => Some(environment::exports_are_harmless(part)),
            "command" => Some(Ok(())),
            "xargs" => Some(xargs::judge(part, &self.here)),
            "mkdir" | "touch" | "tee" => {
                return self.makes(program, part).map(|()| "git would take what it makes".to_owned());
            }
            _ => read_only::judge(part, &self.here),
        };
        if let Some(judged) = judged {
            return judged.map(|()| format!("{program} only reads"));
        }
        if is_version(part) {
            return Ok(format!("{program} only says its version"));
        }
        match super::project_checks::judge(part, self.project_checks, &self.here) {
            Some(judged) => judged.map(|()| "it is one of the project's own checks".to_owned()),
            None => Err(Refused::ask(format!("{program} may write, start programs or reach the network"))),
        }
    }

    /// What belongs to git or to bowline is refused to programs that write.
    fn own_files(&self, program: &str, part: &Part) -> Result<(), Refused> {
        if !WRITERS.contains(&program) {
            return Ok(());
        }
        for word in
            part.arguments().iter().filter(|word| word.known().is_some_and(|word| !word.starts_with('-')))
        {
            let place = self.here.strictest(word)?;
            if place.at == PathKind::Forbidden {
                return self.here.may_write(word);
            }
        }
        Ok(())
    }

    fn makes(&self, program: &str, part: &Part) -> Result<(), Refused> {
        const FLAGS: &[&str] = &["-p", "-v", "-pv", "-a", "-c", "-m", "--parents", "--append", "--verbose"];
        for word in part.arguments() {
            match word.known() {
                Some(flag) if flag.starts_with('-') && flag.len() > 1 => {
                    if !FLAGS.contains(&flag) {
                        return Err(Refused::ask(format!("{program} {flag} may do more than make files")));
                    }
                }
                _ => {
                    reads_like_no_flag(word.shown())?;
                    self.here.may_write(word)?;
                }
            }
        }
        Ok(())
    }

    fn redirect(&self, redirect: &Redirect) -> Ruling {
        let place = match self.here.strictest(&redirect.target) {
            Ok(place) => place,
            Err(refused) => return Ruling::new(refused.verdict, refused.why),
        };
        let (tool, reach) = match redirect.mode {
            Mode::Read => ("view_file", Reach::Reads),
            Mode::Write => ("write_file", Reach::Writes),
        };
        // A file that is written under a name only the shell makes up.
        if reach == Reach::Writes && redirect.target.known().is_none() {
            return Ruling::new(Verdict::Ask, Refused::dynamic(&redirect.target).why);
        }
        if let (Reach::Writes, Err(refused)) = (reach, reads_like_no_flag(redirect.target.shown())) {
            return Ruling::new(refused.verdict, refused.why);
        }
        let Place { at, shown } = &place;
        if *at == PathKind::Outside && shown.starts_with('~') {
            let mut ruling = Ruling::new(Verdict::Ask, format!("{shown} is outside the project"));
            ruling.patterns.push(format!("{tool}({})", literal(shown)));
            return ruling;
        }
        self.rules.judge_path(tool, &place)
    }
}

/// A file whose name begins with a dash becomes a flag where a later `*` stands for it.
fn reads_like_no_flag(path: &str) -> Result<(), Refused> {
    if path.split('/').any(|name| name.starts_with('-')) {
        return Err(Refused::ask(format!("a file named {path} reads like a flag to other programs")));
    }
    Ok(())
}

/// `rustc --version` and its like.
fn is_version(part: &Part) -> bool {
    const PROGRAMS: &[&str] = &[
        "cargo", "rustc", "node", "npm", "pnpm", "yarn", "python", "python3", "pip", "pip3", "go", "java",
        "javac", "gcc", "g++", "clang", "make", "cmake", "mvn", "gradle", "ruby", "perl", "php", "bash",
        "pytest", "ruff", "mypy", "tsc", "deno", "bun", "just", "docker", "jq", "rg",
    ];
    let is_known = part.program().is_some_and(|program| PROGRAMS.contains(&program));
    let arguments: Vec<Option<&str>> = part.arguments().iter().map(Word::known).collect();
    match arguments.as_slice() {
        [Some("--version" | "-V" | "-version")] => is_known,
        [Some("version")] => part.program() == Some("go"),
        _ => false,
    }
}
