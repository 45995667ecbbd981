//! The flags of git's commands that write nothing, start nothing and read nothing outside the repository, in the form of
//! `options`. A flag gets in only after git's manual has been read for it: `--output` writes a file, `-O` of a diff reads
//! one, `--ext-diff`, `--textconv` and `--show-signature` start programs.

const DIFF: &str = "-p -u -s -z -w -b -a -R -W -U# -M? -C? -B? -D -S: -G: -I: -l# --patch --no-patch --unified# --raw \
    --patch-with-raw --patch-with-stat --minimal --patience --histogram --anchored: --diff-algorithm: --stat? --stat-width# \
    --stat-name-width# --stat-graph-width# --stat-count# --compact-summary --numstat --shortstat --dirstat? --cumulative \
    --summary --name-only --name-status --color? --no-color --color-moved? --no-color-moved --color-moved-ws: --word-diff? \
    --word-diff-regex: --color-words? --renames --no-renames --rename-empty --no-rename-empty --check --full-index --binary \
    --abbrev? --no-abbrev --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete \
    --diff-filter: --pickaxe-all --pickaxe-regex --find-object: --relative? --no-relative --text --ignore-cr-at-eol \
    --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines: \
    --inter-hunk-context# --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? \
    --src-prefix: --dst-prefix: --no-prefix --default-prefix --line-prefix: --ws-error-highlight: --ita-invisible-in-index \
    --ita-visible-in-index --output-indicator-new: --output-indicator-old: --output-indicator-context: --indent-heuristic \
    --no-indent-heuristic --skip-to: --rotate-to: --cc -c -m -r -t";

const LOG: &str = "-# -n# -g -i -E -F -P -L: --oneline --graph --no-graph --decorate? --no-decorate --decorate-refs: \
    --decorate-refs-exclude: --clear-decorations --all --branches? --tags? --remotes? --glob: --exclude: --max-count# --skip# \
    --since: --after: --until: --before: --since-as-filter: --author: --committer: --grep: --grep-reflog: --all-match \
    --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges \
    --min-parents# --max-parents# --first-parent --exclude-first-parent-only --follow --no-follow --reverse --pretty? --format: \
    --abbrev-commit --no-abbrev-commit --date: --relative-date --parents --children --left-right --cherry-pick --cherry-mark \
    --cherry --left-only --right-only --boundary --simplify-by-decoration --simplify-merges --full-history --dense --sparse \
    --show-pulls --ancestry-path? --topo-order --date-order --author-date-order --walk-reflogs --merge --not --source \
    --use-mailmap --no-use-mailmap --mailmap --no-mailmap --full-diff --log-size --notes? --no-notes --show-notes? --encoding: \
    --expand-tabs? --no-expand-tabs --no-walk? --do-walk --diff-merges: --no-diff-merges --remerge-diff --combined-all-paths \
    --show-linear-break? --ignore-missing --count --root --always --no-commit-id --timestamp --in-commit-order --date-order";

const BLAME: &str = "-ltfnsewcpb -L: -M? -C? --root --no-root --incremental --porcelain --line-porcelain --show-name \
    --show-number --show-stats --show-email --score-debug --date: --abbrev? --since: --first-parent --reverse --color-lines \
    --color-by-age --progress --no-progress --ignore-rev: --minimal";

const GREP: &str = "-nivlLchHoqEFGPaIrpWzw -e: -A# -B# -C# -m# -# --line-number --ignore-case --word-regexp --invert-match \
    --files-with-matches --name-only --files-without-match --count --color? --no-color --break --heading --column \
    --only-matching --show-function --function-context --all-match --and --or --not --cached --max-depth# --max-count# \
    --extended-regexp --fixed-strings --basic-regexp --perl-regexp --text --full-name --quiet --threads# --context# \
    --after-context# --before-context# --null --recursive --no-recursive --no-textconv";

const REV_PARSE: &str = "-q --abbrev-ref? --short? --verify --quiet --show-toplevel --show-prefix --show-cdup --git-dir \
    --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository \
    --is-shallow-repository --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --glob: --exclude: \
    --show-superproject-working-tree --show-object-format? --path-format: --since: --after: --until: --before: --revs-only \
    --no-revs --flags --no-flags --default: --disambiguate: --not";

const LS_FILES: &str = "-cdmoiskuztvf -x: --cached --deleted --modified --others --ignored --stage --unmerged --killed \
    --directory --no-empty-directory --exclude-standard --error-unmatch --full-name --abbrev? --exclude: --eol --deduplicate \
    --format: --resolve-undo --sparse --with-tree:";

const STATUS: &str = "-sbvz -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? \
    --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames \
    --find-renames?";

const DESCRIBE: &str = "--all --tags --contains --abbrev? --candidates# --exact-match --debug --long --match: --exclude: \
    --always --first-parent --dirty? --broken?";

const FOR_EACH_REF: &str = "--count# --sort: --format: --points-at? --merged? --no-merged? --contains? --no-contains? \
    --ignore-case --omit-empty --exclude: --color?";

/// The lists for a command; none where the command is not known to only look.
pub(super) fn of(command: &str) -> Option<&'static [&'static str]> {
    Some(match command {
        "status" => &[STATUS],
        "log" | "show" | "whatchanged" | "diff-tree" | "stash show" | "stash list" | "reflog" => &[DIFF, LOG],
        "diff" | "diff-files" | "diff-index" => {
            &["-0123q --cached --staged --merge-base --base --ours --theirs", DIFF]
        }
        "shortlog" => &["-snec -w? --numbered --email --group:", LOG],
        "rev-list" => &["--objects --objects-edge --disk-usage? --header --no-commit-header", DIFF, LOG],
        "blame" | "annotate" => &[BLAME],
        "grep" => &[GREP],
        "rev-parse" => &[REV_PARSE],
        "describe" => &[DESCRIBE],
        "ls-files" => &[LS_FILES],
        "ls-tree" => &[
            "-drtlz --name-only --name-status --object-only --abbrev? --full-name --full-tree --long --format:",
        ],
        // `--batch` reads the names of files from its input.
        "cat-file" => &["-tsep --batch-check? --batch-all-objects --buffer --unordered"],
        "name-rev" => &["--name-only --tags --refs: --exclude: --always --no-undefined --undefined --all"],
        "merge-base" => &["-a --all --octopus --independent --is-ancestor --fork-point"],
        "for-each-ref" => &[FOR_EACH_REF],
        "show-ref" => &[
            "-dsq --head --heads --branches --tags --dereference --hash? --verify --quiet --abbrev? --exists",
        ],
        "count-objects" => &["-vH --verbose --human-readable"],
        "check-ignore" => &["-qvzn --quiet --verbose --non-matching"],
        "version" => &["--build-options"],
        "branch" => &[BRANCH],
        "tag" => &[TAG],
        "remote" => &["-v --verbose"],
        "remote get-url" => &["--all --push"],
        "worktree list" => &["-vz --porcelain --verbose"],
        _ => return None,
    })
}

/// `-l` is left out: to older versions of git it makes a branch.
const BRANCH: &str = "-arvi --all --remotes --verbose --show-current --no-color --color? --no-column --column? --sort: \
    --format: --ignore-case --abbrev? --no-abbrev --omit-empty --list --contains? --no-contains? --merged? --no-merged? \
    --points-at?";
const TAG: &str = "-il -n? --no-color --color? --no-column --column? --sort: --format: --ignore-case --omit-empty --list \
    --contains? --no-contains? --merged? --no-merged? --points-at?";

/// Flags with which `branch` and `tag` only list, whatever names follow; without one they would make what is named.
pub(super) const LISTING: &[&str] =
    &["--list", "-l", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];
