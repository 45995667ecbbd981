//! The shell parser against drawn commands: nothing panics, what can't be read is asked about, and what the rules allow does,
//! in a real shell, start no program that they do not know and write nothing outside.
//!
//! The shells run with a PATH that leads to one program only, `evil`, which leaves a mark. A command that is allowed and
//! leaves it, or a file beside the project, is a hole. `BOWLINE_SHELL_FUZZ_S=600` plays for so long, and
//! `BOWLINE_SHELL_FUZZ_SEED=7` begins elsewhere.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bowline_core::policy::{Rules, Verdict};
use bowline_host::permission::Judge;
use bowline_host::shell;
use bowline_host::workspace::Workspace;

/// What commands are made of. `evil` is a program nobody knows.
const PIECES: &[&str] = &[
    "ls",
    "cat",
    "echo",
    "evil",
    "evil",
    "evil",
    "a.txt",
    "../out",
    "> ../out",
    "$(",
    ")",
    "`",
    "'",
    "\"",
    "\\",
    "\n",
    ";",
    "&",
    "&&",
    "|",
    "||",
    "(",
    ")",
    "{ ",
    "; }",
    "[ ",
    " ]",
    "[[ ",
    " ]]",
    "$x",
    "${x}",
    "${x:-",
    "}",
    "$((",
    "))",
    "<",
    ">",
    ">>",
    "<<EOF\n",
    "\nEOF\n",
    "<<'EOF'\n",
    "<<-EOF\n",
    "\n\tEOF\n",
    "<<\"EOF\"\n",
    "<<E\n",
    "\nE\n",
    "<<<",
    "<(",
    ">(",
    "#",
    " # ",
    " ",
    " ",
    " ",
    " ",
    "\t",
    "if ",
    "; then ",
    "; fi",
    "for x in ",
    "; do ",
    "; done",
    "case x in x) ",
    ";; esac",
    "! ",
    "=",
    "x=",
    "x='evil'",
    "PATH=.",
    "*",
    "~",
    "-",
    "-c",
    "sh",
    "eval",
    "x",
    "1",
    "\r",
    "\u{b}",
    "é",
    "\u{a0}",
    "\\\n",
    "\\ ",
    "test ",
    "-f ",
    "true",
    "exit",
    "env ",
    "command ",
    "timeout 5 ",
    "time ",
    "exec ",
    "$'",
    "$\"",
    "function ",
    "f() ",
    "f(){ evil; }",
    "alias ls=evil",
    "set -- ",
    "read x",
    "export ",
    "unset ",
    "&>",
    ">&",
    "2>&1",
    "|&",
    ";;",
    "EOF",
    "x=$(",
    "$#",
    "$?",
    "$*",
    "${#x}",
    "{a,b}",
    "[a]",
    "?",
    "printf '%s' ",
    "cd ..",
    "cd .",
    "x+=",
    "a[$(evil)]",
    "'a[$(evil)]'",
    "$[",
    "]",
    "coproc ",
    "until ",
    "select ",
    "\"$(",
    ")\"",
    "\"`",
    "`\"",
    "\\`",
    "\\\"",
    "\\'",
    "\\$(",
    "'\\''",
    "&1",
    "<&",
    "grep x",
    "sort",
    "sed -n 1p",
    "sed 's/x/evil/e'",
    "find . -exec evil ;",
    "xargs evil",
    "find . -name '*.txt' | xargs cat ",
    "| xargs cat",
    "awk '{print}' ",
    "awk 'BEGIN{system(\"evil\")}' ",
    "x='y -a -v a[$(evil)]'; ",
    "[ $x ] ",
    "[ -v \"$x\" ] ",
    "test -v $x ",
    "for x in evil a; do ",
    "for x in a.txt b; do cat $x; done",
    "for x in *; do cat \"$x\"; done",
    "command cd .. ",
    "pushd .. ",
    "a.txt\n",
    "evil\n",
    "\nevil",
];

pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 11).unwrap() % limit
    }
}

/// Pieces in a row; or a command of the case file with something put in, taken out or doubled.
fn drawn(random: &mut Random, known: &[String]) -> String {
    if random.below(3) == 0 {
        let mut text: Vec<char> = known[random.below(known.len())].chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len() + 1);
            match random.below(3) {
                0 if at < text.len() => {
                    text.remove(at);
                }
                1 if at < text.len() => text.insert(at, text[at]),
                _ => {
                    let piece = PIECES[random.below(PIECES.len())];
                    text.splice(at..at, piece.chars());
                }
            }
        }
        return text.into_iter().collect();
    }
    let mut text = ["ls ", "echo ", "cat ", "x=1; ", "", "true "][random.below(6)].to_owned();
    for _ in 0..=random.below(9) {
        text.push_str(PIECES[random.below(PIECES.len())]);
        if random.below(2) == 0 {
            text.push(' ');
        }
    }
    text
}

/// Runs it where only `evil` can be found; whether that was started.
fn starts_evil(shell: &str, command: &str, project: &Path, mark: &Path) -> bool {
    let mut child = Command::new(shell)
        .args(["-c", command])
        .current_dir(project)
        .env_clear()
        .env("PATH", mark.parent().unwrap())
        .env("MARK", mark)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(2) {
            child.kill().unwrap();
            child.wait().unwrap();
            break;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
    fs::remove_file(mark).is_ok()
}

pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn what_is_allowed_starts_nothing_unknown() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/commands.cases");
    let known: Vec<String> = fs::read_to_string(cases)
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .map(|line| line.replace("rm a.txt", "evil"))
        .collect();
    let above = tempfile::tempdir().unwrap();
    let (project, stubs) = (above.path().join("project"), above.path().join("stubs"));
    fs::create_dir(&project).unwrap();
    fs::create_dir(&stubs).unwrap();
    fs::write(project.join("a.txt"), "evil\n").unwrap();
    fs::write(stubs.join("evil"), "#!/bin/sh\n: >\"$MARK\"\n").unwrap();
    fs::set_permissions(stubs.join("evil"), fs::Permissions::from_mode(0o755)).unwrap();
    let mark = stubs.join("mark");
    let judge = Judge::new(Workspace::open(&project, Vec::new()).unwrap(), Rules::default());
    let shells: Vec<&str> =
        ["/bin/sh", "/bin/bash", "/bin/dash"].into_iter().filter(|shell| Path::new(shell).exists()).collect();
    // The net catches: what is not allowed does start it.
    assert!(starts_evil("/bin/sh", "ls; evil", &project, &mark));
    let seed = number("BOWLINE_SHELL_FUZZ_SEED", 1);
    let time = Duration::from_secs(number("BOWLINE_SHELL_FUZZ_S", 2));
    let (mut random, started) = (Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1), Instant::now());
    let (mut count, mut unread, mut allowed) = (0_u64, 0_u64, 0_u64);
    while started.elapsed() < time {
        let command = drawn(&mut random, &known);
        count += 1;
        let ruling = judge.command(&command);
        if shell::parse(&command).parts.is_err() {
            unread += 1;
            assert_eq!(ruling.verdict, Verdict::Ask, "{command:?} can't be read");
        }
        // What the checks of a project do is up to them, and a loop may have no end.
        let is_loop = ["while", "until"].iter().any(|word| command.contains(word));
        if ruling.verdict != Verdict::Allow || is_loop {
            continue;
        }
        allowed += 1;
        for shell in &shells {
            assert!(!starts_evil(shell, &command, &project, &mark), "{shell} starts evil: {command:?}");
        }
        let beside: Vec<_> =
            fs::read_dir(above.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(beside.len(), 2, "it wrote outside: {command:?}: {beside:?}");
        if allowed.is_multiple_of(50) {
            fs::remove_dir_all(&project).unwrap();
            fs::create_dir(&project).unwrap();
            fs::write(project.join("a.txt"), "evil\n").unwrap();
        }
    }
    println!("seed {seed}: {count} commands, {unread} unread, {allowed} allowed and run by {shells:?}");
    assert!(allowed > 0 && unread > 0);
}

const READERS: &[&str] = &[
    "cat",
    "head",
    "tail",
    "nl",
    "tac",
    "rev",
    "cut",
    "paste",
    "comm",
    "join",
    "fold",
    "expand",
    "fmt",
    "pr",
    "od",
    "hexdump",
    "strings",
    "cmp",
    "diff",
    "stat",
    "ls",
    "file",
    "tree",
    "sort",
    "shuf",
    "uniq",
    "jq",
    "grep",
    "grep",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "rg",
    "fd",
    "find",
    "find",
    "sed",
    "sed",
    "wc",
    "du",
    "base64",
    "md5sum",
    "cksum",
    "date",
    "tr",
    "readlink",
    "realpath",
    "tsort",
    "unexpand",
    "b2sum",
    "test",
    "printf",
    "env",
    "timeout 1",
    "basename",
    "expr",
    "seq",
    "id",
    "which",
    "ps",
    "command grep",
    "builtin cd .. ; cat",
    "command cd .. ; cat",
    "awk '{print}'",
    "awk -F, '{print $1}'",
    "awk",
    "find . -name '*.txt' | xargs cat",
    "find . -name '*.txt' | xargs -I{} cat",
    "find . | xargs grep T",
    "rg --files | xargs cat",
    "sha256sum",
    "strings",
    "strings -t",
    "cat *",
    "grep -r T",
    "for f in a.txt sub; do ls $f; done; cat",
];
const ARGUMENTS: &[&str] = &[
    "../secret.txt",
    "../secret.txt",
    "../secret.txt",
    ".env",
    ".env",
    "../secret*",
    "/dev/null",
    ".",
    "..",
    "a.txt",
    "a.txt",
    "b.txt",
    "x",
    "1",
    "2",
    "*",
    "--",
    "-",
    "p",
    "'$p'",
    "'s/a/b/w out'",
    "'w out'",
    "'1e touch out'",
    "'r ../secret.txt'",
    "1,2p",
    "'{print}'",
    "'{print > \"out\"}'",
    "'BEGIN{while((getline x < \"../secret.txt\")>0) print x}'",
    "'BEGIN{ARGV[1]=\"../secret.txt\";ARGC=2}{print}'",
    "-v",
    "-o",
    "\"$PWD/.env\"",
    "-exec",
    "cat",
    "{}",
    "\\;",
    "+",
    "-delete",
    "-fprint",
    "-fls",
    "out",
    "-name",
    "-newer",
    "-files0-from",
    "-ls",
    "-printf",
    "--output=out",
    "--output",
    "--outp=out",
    "--files0-from=../secret.txt",
    "--file=../secret.txt",
    "--fil=../secret.txt",
    "--regexp=T",
    "--reg=T",
    "-eT",
    "-e",
    "-f",
    "-f../secret.txt",
    "--from-file=../secret.txt",
    "--to-file=.env",
    "--pre=cat",
    "--pre",
    "--hidden",
    "--no-ignore",
    "--follow",
    "--include=.*",
    "--include",
    "--recursive",
    "--dereference-recursive",
    "--exclude-from=../secret.txt",
    "--compress-program=cat",
    "--random-source=../secret.txt",
    "--slurpfile",
    "--rawfile",
    "--args",
    "--search-zip",
    "--exec",
    "--exec=cat",
    "-x",
    "-X",
    "--base-directory=..",
    "--search-path=..",
    "--in-place",
    "--expression=p",
    "--debug",
    "--null-data",
    "--unrestricted",
    "--text",
    "--with-filename",
    "--color=always",
    "--line-number",
    "T",
    "TOP",
    "T*",
    "a*",
    "[-]*",
    "*.txt",
    "../[s]*",
    ".e[[:lower:]]v",
    ".e[a-z]v",
    ".[D-F]nv",
    "@../secret.txt",
    "@.env",
    "-d",
    "recurse",
    "-drecurse",
    "--directories=recurse",
    "-N",
    "-ruN",
    "sub",
    "--new-file",
    "-g",
    "'*'",
    "'.env'",
    "'*env*'",
    "-n1",
    "-A",
    "'import \"secret\" as $x {search: \"..\"}; $x'",
    "'include \"secret\" {search: \"..\"}; .'",
    "-nL",
    "eww",
    "{-o,out}",
    "{../secret.txt,a.txt}",
    "$x",
    "\"$HOME\"",
    "--check",
    "-c",
];

/// Programs of the table with drawn flags: what is allowed reads no secret, nothing outside, and writes nothing at all.
#[test]
fn readers_only_read_what_they_may() {
    const SECRET: &str = "TOPSECRET";
    let above = tempfile::tempdir().unwrap();
    let project = above.path().join("project");
    fs::create_dir_all(project.join("sub")).unwrap();
    fs::write(above.path().join("secret.txt"), format!("{SECRET}\n")).unwrap();
    fs::write(project.join(".env"), format!("{SECRET}\n")).unwrap();
    fs::write(project.join("a.txt"), "a\n").unwrap();
    fs::write(project.join("sub/b.txt"), "b\n").unwrap();
    let judge = Judge::new(Workspace::open(&project, Vec::new()).unwrap(), Rules::default());
    let names = |folder: &Path| {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name(), entry.metadata().unwrap().len()))
            .collect();
        names.sort();
        names
    };
    let before = (names(&project), names(above.path()));
    let seed = number("BOWLINE_SHELL_FUZZ_SEED", 1);
    let time = Duration::from_secs(number("BOWLINE_SHELL_FUZZ_S", 2));
    let (mut random, started) = (Random(seed.wrapping_mul(0xD134_2543_DE82_EF95) | 1), Instant::now());
    let (mut count, mut allowed) = (0_u64, 0_u64);
    while started.elapsed() < time {
        let mut command = READERS[random.below(READERS.len())].to_owned();
        for _ in 0..=random.below(4) {
            command.push(' ');
            let letter = |random: &mut Random| {
                let at = random.below(52);
                char::from(if at < 26 { b'a' } else { b'A' - 26 } + u8::try_from(at).unwrap())
            };
            match random.below(5) {
                0 => command.extend(['-', letter(&mut random)]),
                1 if random.below(3) == 0 => command.extend(['-', letter(&mut random), letter(&mut random)]),
                _ => command.push_str(ARGUMENTS[random.below(ARGUMENTS.len())]),
            }
        }
        count += 1;
        if judge.command(&command).verdict != Verdict::Allow {
            continue;
        }
        allowed += 1;
        let output = Command::new("timeout")
            .args(["-s", "KILL", "1", "sh", "-c", &command])
            .current_dir(&project)
            .env("PAGER", "cat")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = [output.stdout, output.stderr].concat();
        let told = String::from_utf8_lossy(&told);
        assert!(!told.contains(SECRET), "it tells a secret: {command}");
        assert_eq!(before, (names(&project), names(above.path())), "it wrote something: {command}");
    }
    println!("seed {seed}: {count} commands, {allowed} allowed and run");
    assert!(allowed > 0);
}
