//! The English words that the rules of this folder look for. Lists only: what follows from a word is decided elsewhere.

/// Words in lower case, separated by white space.
pub(super) struct Words(&'static str);

impl Words {
    pub(super) fn has(&self, word: &str) -> bool {
        self.iter().any(|other| other == word)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.split_ascii_whitespace()
    }
}

/// Verbs that ask for a change when a clause starts with them.
pub(super) const CHANGE_VERBS: Words = Words(
    "\
    accept add adapt adjust allow append apply assign avoid bump cache call cap change clean cleanup
    comment complete configure convert copy correct cover create deduplicate default define delete
    deprecate disable document draft drop emit enable ensure enforce expose extend extract factor
    finish fix format generate get give guard handle hide implement import improve include increase
    decrease indent inline insert introduce let limit log lower make merge migrate modernize modify
    move normalize omit optimize parse patch port prepare prepend prevent print produce put raise
    redo reduce refactor reformat reject remove rename reorder repair replace require resolve
    restrict restructure return revert rewrite round save set shorten simplify skip solve sort speed
    split stop strip substitute support swap switch throw tidy translate treat trim turn undo unify
    update upgrade use validate wire wrap write edit do have hook initialize initialise optimise
    normalise modernise mark ignore refuse escape quote name fill show kick nuke purge erase eliminate scrap ditch
    discard rip",
);

/// Change verbs that are plain enough to count behind a request to explain or to look ("review it and fix the bugs").
pub(super) const PLAIN_CHANGE_VERBS: Words = Words(
    "\
    add apply change convert correct create delete extend fix implement improve make modify move
    patch raise refactor remove rename repair replace rewrite simplify solve throw update write edit",
);

/// Verbs that ask for an answer and not for a change.
pub(super) const INQUIRY_VERBS: Words = Words(
    "\
    analyse analyze answer assess audit check compare confirm consider count debug describe
    determine diagnose discuss estimate evaluate examine explain explore figure find identify
    inspect investigate judge list locate look outline plan propose read recommend remind report
    review search see sketch study suggest summarise summarize teach tell think understand know
    learn verify walk take wonder",
);

/// Verbs that ask for an answer wherever a clause starts with them.
pub(super) const TELLING_VERBS: Words =
    Words("tell explain describe summarise summarize discuss suggest recommend");

/// Words that may stand before a request without changing what it asks for.
pub(super) const OPENERS: Words = Words(
    "\
    please pls plz hey hi hello ok okay yes yep now then also and so but well just only next first
    second third finally lastly again kindly maybe perhaps simply actually instead thanks therefore
    otherwise to todo task quickly quick cheers team always fyi thx ty btw hiya heya howdy folks guys everyone morning
    good sorry hmm",
);

/// Phrases that may stand before the verb of a request, one on each line. Of two that start alike, the longer comes first.
pub(super) const LEAD_INS: &str = "\
can you
can u
could you
could u
would you mind
would you
will you
can we
could we
do you mind
how about
what about
is it possible for you to
it would be nice to
it would be great to
it would be good to
it would be great if you could
it would be nice if you could
i want you to
i need you to
i would like you to
i'd like you to
id like you to
i want to
i wanna
i would like to
i'd like to
i need to
we need to
we want to
we should
we must
we have to
you should
you must
you need to
you have to
you can
let's
lets
let us
try to
go ahead and
go and
help me to
help me
your task is to
the task is to
your job is to
the goal is to
feel free to
remember to
don't forget to
do not forget to
dont forget to";

/// Words that start a question, with or without a question mark.
pub(super) const QUESTION_WORDS: Words = Words(
    "\
    why what what's whats how how's which who whose is are am was were does did isn't aren't doesn't
    didn't can can't could couldn't should shouldn't would wouldn't will won't has any anyone
    anything may shall",
);

/// Words that start a question only if a question mark ends it ("when it is empty, return 0").
pub(super) const QUESTION_WORDS_MARKED: Words = Words(
    "\
    when where where's don't do have if whether",
);

/// Words that follow "should" in a question: "should we", "should the list".
pub(super) const SUBJECTS: Words =
    Words("i we you they he she it this that these those the a an my our your there one anyone");

/// Words of a statement that says what the code has to do.
pub(super) const NORM_WORDS: Words = Words(
    "\
    should shouldn't must mustn't ought needs shall",
);

/// Words of a statement that says what is wrong with the code.
pub(super) const COMPLAINT_WORDS: Words = Words(
    "\
    broken breaks bug bugs buggy crash crashes crashed crashing doesn't doesnt error errors
    exception fail fails failed failing failure hangs ignored ignores incorrect incorrectly isn't
    isnt leaks missing misspelled never panic panics panicked expected unexpected raises throws typo typos wrong wrongly
    won't wont aren't arent segfaults deadlocks nothing rejected lost garbled duplicated vanishes vanished disappears
    disappeared freezes stuck corrupt corrupted truncated although dies died chokes explodes",
);

pub(super) const NEGATIONS: Words = Words(
    "\
    don't dont never without not no avoid cannot can't",
);

/// Verbs of a change in general, as they follow a negation ("don't touch anything").
pub(super) const TOUCH_VERBS: Words = Words(
    "\
    alter altering change changing changed code coding edit editing fix fixing implement
    implementing modify modifying rewrite rewriting touch touching write writing make making do
    doing break breaking remove removing delete deleting rename renaming update updating use using
    refactor refactoring move moving replace replacing add adding mess messing affect affecting",
);

/// What is written as an answer and not into a file.
pub(super) const ANSWER_NOUNS: Words = Words(
    "\
    analysis branch commit comparison explanation guess list opinion overview plan pr proposal pull
    recommendation report review suggestion suggestions summary idea ideas advice hint hints example
    examples",
);

/// What a noun of an answer may belong to in code ("a report function").
pub(super) const CODE_NOUNS: Words = Words(
    "\
    class column command component const constant endpoint enum field file flag function helper
    interface key member method mode module option page parameter property route script struct table
    test trait type variable variant",
);

/// Kinds of definitions and their parts, in the singular.
pub(super) const KINDS: Words = Words(
    "\
    function method class struct enum trait interface type constant const variable field property attribute parameter \
    argument param arg variant member macro helper module package fn func def column key test subroutine procedure \
    constructor hook component decorator fixture model record union typedef namespace static import flag option file \
    case route endpoint handler let var",
);

/// Words behind a kind that are no names: "the function returns", "type error".
pub(super) const NOT_BEHIND_KIND: Words = Words(
    "\
    return call name body signature definition here above below again itself argument parameter so instead with \
    declaration error checking hint system level of work fail crash take get do have be body first last call list \
    file files path only now too still twice once even just like header line lines docs comment comments because \
    argument code api handler except than value values default safe safety check in-place into onto works crash-free suite \
    run runs case cases data output input result results for then else when where on off more less annotation \
    hints names variable inside outside within without that this",
);

/// Words before a kind that are no names: "the wrong function", "the new field".
pub(super) const NOT_BEFORE_KIND: Words = Words(
    "\
    new old first last same other helper unused whole second third existing following public private static wrong \
    right small big recursive async test utility dead missing optional required single right extra next previous \
    current corresponding main entire only actual specific abstract base parent child inner outer generic local \
    global pure failing broken default custom simple real own very each every one two three few many this that \
    these those a an the some any no all both bad good better long short tiny large similar unit integration \
    string integer number boolean bool python rust java javascript go shell ruby php typescript c my our your its \
    their said given top bottom upper lower legacy obsolete deprecated duplicate common shared core internal \
    external virtual final data return config source input output log separate different correct",
);

/// Properties of a definition: "don't change the signature of `load`".
pub(super) const PROPERTIES: Words = Words(
    "\
    signature signatures behaviour behavior interface output result results api name names order type types return \
    returns arguments parameters how what way meaning semantics format value default defaults logic",
);

/// Words that say that nothing needs a definition.
pub(super) const UNUSED: Words = Words(
    "\
    unused dead obsolete deprecated unneeded needless useless redundant superfluous unreachable leftover stale orphaned \
    nothing nobody none never longer uses used needed unreferenced anymore",
);

/// Verbs of what belongs to a rename or a removal.
pub(super) const FOLLOW_UP_VERBS: Words = Words(
    "\
    update updating adjust adapt change fix rename replace make ensure sure should must keep pass still run correct \
    including include do doesn't don't breaks remove delete",
);

/// Objects of what belongs to a rename or a removal.
pub(super) const FOLLOW_UP_OBJECTS: Words = Words(
    "\
    caller callers calls call uses use usages usage references reference imports import sites everywhere everything \
    places place occurrences occurrence accordingly tests test nothing works work pass passes exports export breaks \
    break mentions consistently compile compiles builds build",
);

/// Tools, keywords, literals and built-in types that are no names of a project, in lower case.
pub(super) const NOT_NAMES: Words = Words(
    "\
    none null nil true false undefined nan self this super int integer str string bool boolean float double char byte \
    void list dict tuple set map array object number any bytes usize isize u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 vec \
    option result some ok err if else for while switch return raise throw try catch except finally def fn func function \
    class struct enum trait interface const let var import export from as async await yield pass break continue not and \
    or in is pytest cargo npm npx pnpm yarn bun node python python3 pip ruby php go java javac gradle mvn make cmake git \
    bash sh zsh grep sed awk curl docker ls cat echo jest vitest mocha eslint prettier tsc ruff mypy black flake8 rustc \
    clippy rustfmt gofmt main.exe sudo brew apt unittest",
);

/// Proper nouns that are written like names of code, in lower case.
pub(super) const PROPER_NOUNS: Words = Words(
    "\
    javascript typescript coffeescript github gitlab gitea bitbucket postgresql mysql mariadb sqlite mongodb dynamodb \
    numpy scipy pytorch openai chatgpt youtube linkedin macos ios ipados ipad iphone webassembly websocket websockets \
    powershell intellij pycharm webstorm vscode graphql latex oauth junit pypi devops camelcase pascalcase fastapi nodejs \
    nextjs reactjs vuejs rabbitmq stackoverflow dockerhub kubernetes phpunit rubocop opengl openssl openssh jquery ebay \
    paypal airbnb dropbox whatsapp facebook vmware bigquery cloudflare cloudfront restful wifi wi-fi hashmap-like \
    jetbrains restructuredtext libreoffice openoffice freebsd openbsd netbsd archlinux opensuse redhat centos deepseek \
    huggingface tensorflow matplotlib typeof javadoc jsdoc phpdoc todo todos utf8 qwen smtp noscript snakecase kebabcase \
    screamingcase codex copilot duckdb clickhouse elasticsearch opencv selenium playwright",
);

/// Words that every message may have and that say nothing about the code.
pub(super) const STOP_WORDS: Words = Words(
    "\
    a about above actually add after again all almost already also always am an and another any anymore anyone anything \
    are aren't around as ask at away back be because been before being below better between both but by bug call can \
    can't cannot cant change changes check code correct correctly could couldn't currently did didn't do does doesn't \
    doing don't done dont down during each either else end ensure especially etc even ever every everything everywhere \
    exactly existing few file files first fix for from function get gets give gives go goes good great had has have \
    haven't having he hello help her here hey hi how however i i'd i'll i'm i've if implement in instead into is isn't it \
    it's its itself just keep kind know last least less let let's like little look make makes many may maybe me mean means \
    method might more most much must my myself name need needs never new next no nobody none nor not nothing now of off \
    often ok okay old on once one ones only onto or other others otherwise our out over own perhaps please pls plz possible \
    project properly put rather really remove rename right same say says see seems several shall she should shouldn't \
    show since so some somehow someone something somewhere sometimes still such sure take takes tell than thank thanks that \
    that's the their them themselves then there there's therefore these they they're thing things think this those though \
    through thus time to together too try turn two under unless until up update us use used uses using usually very via \
    want wants was wasn't way we we'd we'll we're well were what what's when whenever where wherever whether which while \
    who whole whose why will wish with within without won't work works would wouldn't write wrong yes yet you you'd you'll \
    you're your yours",
);

/// Words between "remove" and the name of what is removed.
pub(super) const REMOVAL_FILLERS: Words = Words(
    "\
    the our my this that these those all both old now private two three also completely entirely no \
    longer needed used code following helper legacy duplicate duplicated empty",
);

/// Words that may follow the name of what is removed.
pub(super) const REMOVAL_ENDS: Words = Words(
    "\
    codebase project code repo repository source sources app",
);

/// Words between "rename" and a name.
pub(super) const RENAME_FILLERS: Words = Words(
    "\
    the our my its old current existing from all new name both local also private public of just \
    please pls",
);

/// Words that count the parameters of a function.
pub(super) const ORDINALS: Words = Words("first second third fourth fifth last only other");

/// Words that may follow a plain new name.
pub(super) const RENAME_ENDS: Words = Words(
    "\
    everywhere in and across throughout please for so because since instead too then but as with \
    including or also now wherever where inside project-wide pls thx thanks thank ty cheers",
);

/// Verbs of any change at all: "don't change anything" forbids all changes, "don't rename anything" does not.
pub(super) const GENERAL_VERBS: Words = Words(
    "\
    alter altering change changing code coding do doing edit editing fix fixing implement implementing make making modify \
    modifying touch touching write writing",
);

/// What hangs on a definition and is not removed or renamed with it.
pub(super) const FURTHER_OBJECTS: Words =
    Words("test tests callers caller docs documentation helpers dependents users body signature");

/// What is done to something that changes: "I don't want it touched".
pub(super) const PARTICIPLES: Words = Words(
    "\
    touched changed renamed removed deleted modified edited altered moved rewritten replaced affected broken refactored",
);

/// Words that may follow "stays" where it means that something stays as it is.
pub(super) const STAY_ENDS: Words = Words(
    "\
    and but so because since though although while for until unless too also please either anyway of at",
);

/// Programs that are run with files.
pub(super) const PROGRAMS: Words = Words(
    "\
    python python3 py pypy node nodejs deno bun npx npm yarn pnpm cargo go ruby php perl lua bash sh zsh java javac rustc \
    gcc clang pytest jest vitest mocha pip uv poetry docker git cat tsx ts-node tsc ruff mypy eslint sqlite3 psql",
);

/// Words of a reason for another name: "the name is misleading".
pub(super) const NAMING_WORDS: Words = Words(
    "\
    name named names naming confusing confuses confused confuse misleading misleads vague cryptic generic typo typos \
    misspelled clash clashes collides conflicts shadows hides say says tell tells describe describes mean means convention \
    spelled spelling meaningless",
);

/// Verbs that remove what follows them.
pub(super) const REMOVAL_VERBS: Words = Words(
    "\
    remove delete drop removing deleting dropping nuke purge erase eliminate scrap ditch discard",
);

/// Words that say that nothing needs what a sentence is about: "`load` is dead".
pub(super) const DEAD: Words = Words(
    "\
    unused dead obsolete unneeded superfluous redundant useless unreachable orphaned unreferenced",
);

/// Words behind "too" in a complaint: "way too noisy".
pub(super) const EXCESSES: Words = Words(
    "\
    small large big noisy slow short long many few high low early late often strict loose tight wide narrow chatty verbose \
    aggressive eager much little quiet loud imprecise vague generous greedy coarse fine frequent soon",
);

/// Words that may follow a removal in its clause: "remove `load`, since nothing uses it".
pub(super) const REMOVAL_END_WORDS: Words = Words(
    "\
    since because as it it's they nothing nobody none no which that everywhere completely entirely altogether too please \
    and then but again now both is are we pls if thx thanks ty cheers right",
);

/// What a noun does, so that the verb it could be is none: "search ignores upper case", "report is empty".
pub(super) const AFTER_NOUNS: Words = Words(
    "\
    is are was were isn't does doesn't did didn't has had should must shouldn't mustn't ignores shows prints returns crashes \
    fails breaks hangs works gives says takes throws raises needs lists contains stops stays keeps",
);

/// What shows a fault: "when I save twice, list() shows the note two times".
pub(super) const SHOWING_VERBS: Words = Words(
    "\
    says returns shows prints gives reports displays outputs lists counts yields becomes grows",
);
