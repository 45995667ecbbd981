//! Programs that only read, each with the flags that are known to change nothing but what it prints, in the form of `options`.
//!
//! A program or a flag gets in only after its manual has been read: a flag that writes a file (`-o`), starts a program
//! (`--pre`), reads further paths from a file (`--files0-from`, `--check` of the digests) or reads what the program would leave out (`--hidden`)
//! stays out.

/// What the words that are no flags are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// The program has no flag that could do harm and reads no file: every word is text to it.
    Anything,
    /// Text, also where it is only known when the command runs.
    Text,
    /// Words that must be known: they may say what the program does.
    Names,
    Files,
    /// A pattern first, unless one of these flags brings it, then files.
    PatternThenFiles(&'static [&'static str]),
    /// One file at most: the second would be written.
    OneFile,
}

pub(super) struct Reader {
    pub(super) names: &'static [&'static str],
    pub(super) takes: Takes,
    pub(super) flags: &'static str,
}

const fn reader(names: &'static [&'static str], takes: Takes, flags: &'static str) -> Reader {
    Reader { names, takes, flags }
}

pub(super) const READERS: &[Reader] = &[
    reader(
        &["echo", "true", "false", ":", "expr", "exit", "return", "break", "continue", "shift", "times"],
        Takes::Anything,
        "",
    ),
    reader(&["pwd"], Takes::Names, "-LP"),
    reader(&["seq"], Takes::Text, "-w -# -f: -s: --equal-width --format: --separator:"),
    reader(&["sleep"], Takes::Text, ""),
    reader(&["basename"], Takes::Text, "-az -s: --multiple --suffix: --zero"),
    reader(&["dirname"], Takes::Text, "-z --zero"),
    reader(&["tr"], Takes::Text, "-cCdst --complement --delete --squeeze-repeats --truncate-set1"),
    reader(&["which"], Takes::Text, "-as --all"),
    reader(&["type"], Takes::Text, "-aftpP"),
    reader(&["id"], Takes::Text, "-agGnruzZ --user --group --groups --name --real --zero"),
    reader(
        &["uname"],
        Takes::Names,
        "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --operating-system",
    ),
    reader(&["whoami", "arch", "groups"], Takes::Names, ""),
    reader(&["tty"], Takes::Names, "-s --silent --quiet"),
    reader(&["nproc"], Takes::Names, "--all --ignore#"),
    reader(&["uptime"], Takes::Names, "-ps --pretty --since"),
    reader(&["free"], Takes::Names, "-bkmghltwv --human --mega --giga --kilo --total --wide --si"),
    reader(&["lscpu"], Takes::Names, "-abcJ -e? -p? --all --online --offline --json --extended? --parse?"),
    reader(&["locale"], Takes::Names, "-amckv --all-locales --charmaps --category-name --keyword-name"),
    reader(&["getconf"], Takes::Names, "-a"),
    reader(
        &["cat"],
        Takes::Files,
        "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank \
        --show-tabs --show-nonprinting",
    ),
    reader(
        &["head"],
        Takes::Files,
        "-qvz -n# -c# -# --lines# --bytes# --quiet --silent --verbose --zero-terminated",
    ),
    reader(
        &["tail"],
        Takes::Files,
        "-fFqvz -n# -c# -s# -# --lines# --bytes# --follow? --retry --pid# --sleep-interval# \
        --quiet --silent --verbose --zero-terminated",
    ),
    reader(
        &["nl"],
        Takes::Files,
        "-p -b: -d: -f: -h: -i# -l# -n: -s: -v# -w# --body-numbering: --number-format: \
        --number-separator: --number-width# --starting-line-number#",
    ),
    reader(&["tac"], Takes::Files, "-br -s: --before --regex --separator:"),
    reader(&["rev", "tsort"], Takes::Files, ""),
    reader(
        &["cut"],
        Takes::Files,
        "-nsz -b: -c: -d: -f: --bytes: --characters: --delimiter: --fields: --complement \
        --only-delimited --output-delimiter: --zero-terminated",
    ),
    reader(&["paste"], Takes::Files, "-sz -d: --delimiters: --serial --zero-terminated"),
    reader(
        &["comm"],
        Takes::Files,
        "-123iz --check-order --nocheck-order --total --output-delimiter: --zero-terminated",
    ),
    reader(
        &["join"],
        Takes::Files,
        "-iz -a# -e: -j# -o: -t: -v# -1# -2# --ignore-case --header --check-order --nocheck-order",
    ),
    reader(&["fold"], Takes::Files, "-bs -w# -# --bytes --spaces --width#"),
    reader(&["expand", "unexpand"], Takes::Files, "-ai -t: --initial --all --first-only --tabs:"),
    reader(
        &["fmt"],
        Takes::Files,
        "-cstu -w# -g# -p: -# --crown-margin --split-only --uniform-spacing --width# --goal#",
    ),
    reader(
        &["pr"],
        Takes::Files,
        "-adFfmnrTtv -h: -l# -o# -w# -W# -# --across --columns# --merge --omit-header --length# --width#",
    ),
    reader(
        &["od"],
        Takes::Files,
        "-abcdfhilosxv -A: -j# -N# -S# -t: -w? --address-radix: --skip-bytes# --read-bytes# --format: \
        --output-duplicates --width? --endian:",
    ),
    reader(&["hexdump"], Takes::Files, "-bcCdoxv -e: -n# -s#"),
    reader(
        &["strings"],
        Takes::Files,
        "-afow -n# -t: -e: -# --all --print-file-name --bytes# --radix: --encoding: \
        --include-all-whitespace",
    ),
    reader(
        &["cmp"],
        Takes::Files,
        "-bls -i: -n# --print-bytes --verbose --quiet --silent --bytes# --ignore-initial:",
    ),
    reader(&["stat"], Takes::Files, "-fLtlnrsx -c: --format: --printf: --dereference --file-system --terse"),
    reader(
        &["ls"],
        Takes::Files,
        "-aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1 -w# -I: --all --almost-all --author --escape \
        --ignore-backups --block-size: --color? --directory --classify? --file-type --format: --full-time --group-directories-first \
        --no-group --human-readable --si --dereference --dereference-command-line --hide: --hyperlink? --indicator-style: --inode \
        --ignore: --kibibytes --literal --numeric-uid-gid --hide-control-chars --show-control-chars --quote-name --quoting-style: \
        --reverse --recursive --size --sort: --time: --time-style: --width# --context --zero",
    ),
    reader(
        &["df"],
        Takes::Files,
        "-ahHiklPT -t: -x: -B: --all --human-readable --si --inodes --local --portability --total \
        --print-type --type: --exclude-type: --block-size: --output?",
    ),
    reader(
        &["readlink"],
        Takes::Files,
        "-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline \
        --quiet --silent --verbose --zero",
    ),
    reader(
        &["realpath"],
        Takes::Files,
        "-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet \
        --relative-to< --relative-base< --strip --no-symlinks --zero",
    ),
    reader(
        &["md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "b2sum"],
        Takes::Files,
        "-btz -a: -l# --binary --text --tag --untagged --zero --algorithm: --length#",
    ),
    reader(&["base64"], Takes::Files, "-dD -w# --decode --wrap# --ignore-garbage"),
    reader(&["wc"], Takes::Files, "-cmlLw --bytes --chars --lines --max-line-length --words --total:"),
    reader(
        &["du"],
        Takes::Files,
        "-abcDhHklmPsSx0 -d# -B: -t: --all --apparent-size --block-size: --bytes --total --max-depth# \
        --human-readable --inodes --summarize --separate-dirs --si --threshold: --time? --time-style: --exclude: --one-file-system \
        --null",
    ),
    reader(
        &["diff"],
        Takes::Files,
        "-abBcdeEinNpPqrstTuwyZ -C# -U# -W# -I: -F: -x: -L: -# --normal --brief \
        --report-identical-files --context? --unified? --ed --rcs --side-by-side --width# --left-column --suppress-common-lines \
        --show-c-function --show-function-line: --label: --expand-tabs --initial-tab --tabsize# --recursive --no-dereference \
        --new-file --unidirectional-new-file --ignore-file-name-case --exclude: --ignore-case --ignore-tab-expansion \
        --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines: --text \
        --strip-trailing-cr --minimal --horizon-lines# --speed-large-files --color? --palette:",
    ),
    reader(
        &["file"],
        Takes::Files,
        "-bEhikLNnr0 -F: --brief --mime --mime-type --mime-encoding --extension --dereference \
        --no-dereference --keep-going --no-pad --raw --separator:",
    ),
    reader(
        &["tree"],
        Takes::Files,
        "-aACdDfFgiJnNpqQrsStuUvxXch -L# -I: -P: --all --noreport --dirsfirst --filesfirst --prune \
        --gitignore --du --si --charset: --filelimit# --ignore-case --matchdirs --sort? --timefmt: --inodes --device",
    ),
    reader(
        &["sort"],
        Takes::Files,
        "-bcCdfghiMmnRrsuVz -k: -t: --ignore-leading-blanks --dictionary-order --ignore-case \
        --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort --reverse \
        --sort: --version-sort --check? --key: --merge --stable --field-separator: --unique --zero-terminated --parallel# --debug",
    ),
    reader(
        &["shuf"],
        Takes::OneFile,
        "-erz -i: -n# --echo --input-range: --head-count# --repeat --zero-terminated",
    ),
    reader(
        &["uniq"],
        Takes::OneFile,
        "-cdDiuz -f# -s# -w# -# --count --repeated --all-repeated? --group? --ignore-case --unique \
        --skip-fields# --skip-chars# --check-chars# --zero-terminated",
    ),
    reader(
        &["jq"],
        Takes::PatternThenFiles(&[]),
        "-acCehjMnrRsSV --ascii-output --compact-output --color-output \
        --monochrome-output --exit-status --join-output --null-input --raw-output --raw-output0 --raw-input --slurp --sort-keys \
        --tab --indent# --stream --stream-errors --seq --unbuffered --arg:: --argjson:: --version",
    ),
    reader(
        &["grep", "egrep", "fgrep"],
        Takes::PatternThenFiles(&["-e", "--regexp"]),
        "-abcEFGhHiIlLnoPqrRsTUvVwxyzZ -A# -B# -C# \
        -m# -e: -# --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp: --ignore-case --no-ignore-case \
        --invert-match --word-regexp --line-regexp --count --color? --colour? --files-without-match --files-with-matches \
        --max-count# --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label: \
        --line-number --initial-tab --null --after-context# --before-context# --context# --group-separator: --no-group-separator \
        --text --binary-files: --exclude: --exclude-dir: --include: --recursive --dereference-recursive --line-buffered \
        --null-data --version",
    ),
    reader(
        &["rg"],
        Takes::PatternThenFiles(&["-e", "--regexp", "--files", "--type-list"]),
        "-abcFHhiIlnNopPqsSUvVwx0 -A# -B# -C# \
        -d# -e: -E: -g: -j# -m# -M# -r: -t: -T: --after-context# --before-context# --context# --max-depth# --maxdepth# \
        --regexp: --encoding: --glob: --iglob: --threads# --max-count# --max-columns# --max-columns-preview --max-filesize: \
        --replace: --type: --type-not: --type-list --text --byte-offset --block-buffered --line-buffered --color: --colors: \
        --column --no-column --context-separator: --count --count-matches --crlf --debug --dfa-size-limit: --engine: \
        --field-context-separator: --field-match-separator: --files --files-with-matches --files-without-match --fixed-strings \
        --no-fixed-strings --glob-case-insensitive --heading --no-heading --ignore-case --include-zero --invert-match --json \
        --line-number --no-line-number --line-regexp --multiline --multiline-dotall --no-config --no-messages --no-unicode \
        --null --null-data --one-file-system --only-matching --passthru --pcre2 --pretty --quiet --regex-size-limit: \
        --case-sensitive --smart-case --sort: --sortr: --stats --trim --vimgrep --with-filename --no-filename --word-regexp \
        --version --help --no-hidden --no-follow",
    ),
    // It only lists names, so hidden and ignored files do no harm.
    reader(
        &["fd", "fdfind"],
        Takes::PatternThenFiles(&[]),
        "-0aFgHIipqsu1 -c: -d# -e: -E: -j# -S: -t: --absolute-path --case-sensitive \
        --changed-before: --changed-within: --color: --exact-depth# --exclude: --extension: --fixed-strings --full-path --glob \
        --hidden --ignore-case --max-depth# --max-results# --min-depth# --no-ignore --print0 --quiet --regex --size: \
        --threads# --type: --unrestricted --version",
    ),
];

/// The words of `find` that only look. Every other word with a dash is asked about: `-exec`, `-delete`, `-fprint`, `-ok` …
pub(super) const FIND: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype \
    -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -atime -amin -newer -anewer -cnewer -newermt -newerct -newerat -newermm \
    -used -empty -not -a -o -and -or -print -print0 -printf -prune -perm -user -group -uid -gid -nouser -nogroup -links -lname \
    -ilname -depth -mount -xdev -follow -noleaf -L -H -P -ls -true -false -readable -writable -executable -samefile -inum \
    -daystart -quit -fstype -warn -nowarn -ignore_readdir_race";
