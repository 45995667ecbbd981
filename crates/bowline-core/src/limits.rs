//! Every bound of the core in one place: loops, queues, buffers, retries, times.
//!
//! A number without a unit in its name counts things.

/// Steps of one run, unless the user says otherwise.
pub const STEPS_MAX: i64 = 50;
/// Steps left when the model is told so.
pub const STEPS_LEFT_NOTED: i64 = 10;
/// Calls of one step; what is beyond is answered, not run.
pub const CALLS_PER_STEP_MAX: usize = 32;
/// A command of a loop is run again after this.
pub const LOOP_PAUSE_MS: i64 = 10_000;

/// Tries again after a failure of the model's server.
pub const RETRIES_MAX: u32 = 6;
pub const RETRY_FIRST_MS: i64 = 500;
pub const RETRY_LONGEST_MS: i64 = 30_000;
/// A server may ask for a longer pause than ours, but not for an endless one.
pub const RETRY_AFTER_MS_MAX: i64 = 120_000;
/// Tries again after an empty answer or one of reasoning only.
pub const EMPTY_RETRIES_MAX: u32 = 2;

/// Tries again after a text loop.
pub const TEXT_LOOP_RETRIES_MAX: u32 = 1;
/// The second try after a text loop is this much hotter than the first, or than what servers usually take.
pub const TEMPERATURE_RAISED_BY: f64 = 0.3;
pub const TEMPERATURE_USUAL: f64 = 0.8;
pub const TEMPERATURE_MAX: f64 = 1.5;
/// A model with fewer parameters is small: it begins in constrained mode, and one sign that its calls do not work is enough.
pub const SMALL_PARAMETERS_MAX: i64 = 4_500_000_000;
/// Signs in a session that native calling does not work, before a model that is not small is asked in another mode.
pub const SIGNS_MAX: u32 = 2;
/// Steps of a turn in text mode that asked for a change and brought no call, before the model is asked in constrained mode.
pub const TEXT_STEPS_WITHOUT_CALL_MAX: u32 = 2;

/// Waiting for the first token: a model may be loading, a CPU may be reading the prompt.
pub const FIRST_TOKEN_MS_MAX: i64 = 15 * 60_000;
/// The longest wait for the first token while the server shows signs of life.
pub const FIRST_TOKEN_ALIVE_MS_MAX: i64 = 60 * 60_000;
/// Silence after the first token.
pub const SILENCE_MS_MAX: i64 = 90_000;
/// The shortest allowed silence for a server that sends a call only when it is whole.
pub const WHOLE_CALL_SILENCE_MS_MIN: i64 = 120_000;
/// How long a server that says it is working may stay silent after its first token.
pub const SILENCE_WORKING_MS_MAX: i64 = 15 * 60_000;
/// A server that is asked whether it still works answers within this.
pub const LIFE_ANSWER_MS_MAX: i64 = 5_000;

/// Deltas are appended at most this often.
pub const DELTA_EVERY_MS: i64 = 50;

/// One line of a model's answer on the wire, and one answer in all.
pub const WIRE_LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
pub const ANSWER_BYTES_MAX: usize = 32 * 1024 * 1024;
/// A count or a time a server may tell: small enough that a run's sums and percentages can't overflow.
pub const WIRE_NUMBER_MAX: f64 = 1e11;
/// Calls of one answer that are taken in; a model that goes round in circles is not followed further.
pub const CALLS_PER_ANSWER_MAX: usize = 128;
/// The name of a tool as it is replayed.
pub const NAME_CHARS_MAX: usize = 64;
/// A model's own text as it is quoted back to it.
pub const QUOTE_CHARS_MAX: usize = 400;

/// The window where the server tells none. Tokens.
pub const WINDOW_UNKNOWN: i64 = 8_192;
/// Below it no turn is started: prompt, tools and an answer leave no room to work. Tokens.
pub const WINDOW_MIN: i64 = 6_144;
/// What is asked of a server that allocates on request. Tokens.
pub const WINDOW_ASKED_MAX: i64 = 32_768;
/// The most that is kept for the answer. Tokens.
pub const RESERVE_MAX: i64 = 8_192;

/// A prompt above this share of the window, less its reserve, is compacted, until it is below the second share.
pub const COMPACT_ABOVE_PERCENT: i64 = 75;
pub const COMPACT_BELOW_PERCENT: i64 = 50;
/// The share of the window for the newest messages, which a compaction keeps as they are.
pub const TAIL_PERCENT_MAX: i64 = 30;
/// The share of the window, less its reserve, that a summary may take.
pub const SUMMARY_PERCENT_MAX: i64 = 15;
/// The share of a summary that its lists of files may take if its text needs the rest.
pub const LISTS_PERCENT_MAX: usize = 50;
/// A conversation below this many tokens is not compacted on demand: a summary would be as long.
pub const COMPACTED_TOKENS_MIN: i64 = 500;
/// What the user said, as code sums it up.
pub const USER_TEXTS_KEPT_MAX: usize = 20;
pub const USER_TEXT_CHARS_MAX: usize = 600;
/// A server that reports less than this share of the estimated prompt has dropped part of it.
pub const SEEN_PERCENT_MIN: i64 = 60;

/// What is quoted of a change that the user decided about.
pub const CHANGE_QUOTE_CHARS_MAX: usize = 80;
/// What is kept to take one change back. Bytes.
pub const PATCH_BYTES_MAX: usize = 1024 * 1024;

/// Paths a checkpoint names that are not in it; the rest is counted.
pub const NOT_CAPTURED_MAX: usize = 20;

/// A tool result as the model gets it.
pub const RESULT_CHARS_MAX: usize = 32_000;
/// The title of a session.
pub const TITLE_CHARS_MAX: usize = 80;

/// Tries at changing one place, each of another kind.
pub const TRIES_PER_PLACE_MAX: usize = 2;
/// Answers for one place that repeat it as it is.
pub const COPIES_PER_PLACE_MAX: usize = 3;
/// Tries of one turn in a row that change nothing in the end. With the steps after them, a turn that can't succeed ends within 16 calls.
pub const FRUITLESS_TRIES_MAX: usize = 12;
/// Changes of one turn that the program proposes without asking the model for the place.
pub const PROPOSALS_MAX: usize = 8;
/// Places that one step offers, and the length of their names together.
pub const OFFERED_MAX: usize = 40;
pub const OFFERED_BYTES_MAX: usize = 1_000;
/// A file that is offered as one place, and a type with methods that is.
pub const SMALL_FILE_LINES_MAX: i64 = 60;
pub const TYPE_LINES_MAX: i64 = 40;
/// The user's words in a request for the new text of a place.
pub const TASK_CHARS_MAX: usize = 4_000;
/// Texts of a message that are looked for in the project.
pub const WANTED_MAX: usize = 20;
/// Lines of a command's output whose statements are looked up.
pub const OUTPUT_LINES_MAX: usize = 20;
/// How long the host may look at the project before a step goes on without its places.
pub const SURVEY_MS_MAX: i64 = 30_000;

/// How long the check may take, unless the user says otherwise.
pub const CHECK_MS_MAX: i64 = 120_000;
/// How long the check before the first edit may take.
pub const CHECK_BASELINE_MS_MAX: i64 = 30_000;
/// A check that took no longer is run after every step that changes files.
pub const CHECK_AFTER_MS_MAX: i64 = 10_000;
/// What the host gets beyond a check's own time before the turn goes on without it.
pub const CHECK_GRACE_MS: i64 = 15_000;
/// How long the host may take to undo the run's own changes.
pub const REWIND_MS_MAX: i64 = 30_000;
/// Further texts that are asked for, if the check is red and its place is known.
pub const CHECK_SAMPLES: usize = 3;
/// Files that a fresh start shows, and how long they are together. Bytes.
pub const FRESH_FILES_MAX: usize = 8;
pub const FRESH_FILES_BYTES_MAX: usize = 8_000;
/// How often a red result is sent back in a run.
pub const CHECK_SENT_BACK_MAX: u32 = 2;
