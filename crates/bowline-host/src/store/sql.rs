//! Every statement of the store, once, in the SQL that SQLite and PostgreSQL both take.
//!
//! Not here: the schema (`migrations/`). What always holds: a statement stands in [`ALL`], which a test prepares on both
//! engines; the few that need one text per engine stand at the end, with the reason.
//!
//! The portable subset: `$n` placeholders, columns of TEXT, BIGINT and BYTEA, no booleans selected, no JSON operators,
//! no clock, `ON CONFLICT` in place of each engine's own upsert, prefixes compared with `substr` because LIKE folds case
//! on one engine only.

macro_rules! statements {
    ($($name:ident = $text:literal;)+) => {
        $(pub const $name: &str = $text;)+

        /// Each statement with its name.
        pub const ALL: &[(&str, &str)] = &[$((stringify!($name), $name)),+];
    };
}

statements! {
    NEWEST_MIGRATION = "SELECT MAX(version) FROM _sqlx_migrations";

    ADD_PROJECT = "INSERT INTO projects (id, root, created_ms) VALUES ($1, $2, $3) ON CONFLICT (root) DO NOTHING";
    PROJECT_ID = "SELECT id FROM projects WHERE root = $1";

    ADD_SESSION = "INSERT INTO sessions
        (id, project_id, title, state, work_tree, model, created_ms, active_ms, next_seq)
        VALUES ($1, $2, $3, 'idle', $4, $5, $6, $6, 1)";
    SESSION = "SELECT s.id, p.root, s.work_tree, s.title, s.state, s.model, s.created_ms, s.active_ms, s.next_seq
        FROM sessions s JOIN projects p ON p.id = s.project_id WHERE s.id = $1";
    SESSIONS_BY_PREFIX = "SELECT s.id, p.root, s.work_tree, s.title, s.state, s.model, s.created_ms, s.active_ms, s.next_seq
        FROM sessions s JOIN projects p ON p.id = s.project_id
        WHERE substr(s.id, 1, length(CAST($1 AS TEXT))) = $1 ORDER BY s.active_ms DESC, s.id DESC LIMIT $2";
    // Those of a project, and in a worktree those that work in it.
    SESSIONS_OF_PROJECT = "SELECT s.id, p.root, s.work_tree, s.title, s.state, s.model, s.created_ms, s.active_ms, s.next_seq
        FROM sessions s JOIN projects p ON p.id = s.project_id
        WHERE p.root = $1 OR s.work_tree = $1 ORDER BY s.active_ms DESC, s.id DESC LIMIT $2";
    SESSIONS = "SELECT s.id, p.root, s.work_tree, s.title, s.state, s.model, s.created_ms, s.active_ms, s.next_seq
        FROM sessions s JOIN projects p ON p.id = s.project_id ORDER BY s.active_ms DESC, s.id DESC LIMIT $1";
    // Page by page, newest first: those below a session ($1, $2), of one project or, where $3 is empty, of all.
    SESSIONS_BELOW = "SELECT s.id, p.root, s.work_tree, s.title, s.state, s.model, s.created_ms, s.active_ms, s.next_seq
        FROM sessions s JOIN projects p ON p.id = s.project_id
        WHERE (s.active_ms < $1 OR (s.active_ms = $1 AND s.id < $2)) AND (CAST($3 AS TEXT) = '' OR p.root = $3 OR s.work_tree = $3)
        ORDER BY s.active_ms DESC, s.id DESC LIMIT $4";
    SESSIONS_RUNNING = "SELECT s.id, p.root, s.work_tree, s.title, s.state, s.model, s.created_ms, s.active_ms, s.next_seq
        FROM sessions s JOIN projects p ON p.id = s.project_id
        WHERE s.state = 'running' ORDER BY s.active_ms DESC, s.id DESC LIMIT $1";
    SESSIONS_COUNT = "SELECT COUNT(*) FROM sessions";
    SET_TITLE = "UPDATE sessions SET title = $2 WHERE id = $1";
    SET_MODEL = "UPDATE sessions SET model = $2 WHERE id = $1";
    SET_STATE = "UPDATE sessions SET state = $2 WHERE id = $1";
    DELETE_SESSION = "DELETE FROM sessions WHERE id = $1";
    NEXT_SEQ = "SELECT next_seq FROM sessions WHERE id = $1";

    // All three lock the session's row until the end of the transaction: numbers are allotted, and leases change hands,
    // one after the other.
    ALLOT = "UPDATE sessions SET next_seq = next_seq + $2, active_ms = $3 WHERE id = $1 RETURNING next_seq";
    // A new title is no activity: the session worked in last stays the last one.
    ALLOT_QUIETLY = "UPDATE sessions SET next_seq = next_seq + $2 WHERE id = $1 RETURNING next_seq";
    LOCK_SESSION = "UPDATE sessions SET next_seq = next_seq WHERE id = $1";

    ADD_ENTRY = "INSERT INTO entries (session_id, seq, kind, part, item, version, at_ms, turn, body)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    DELETE_PROVISIONAL = "DELETE FROM entries WHERE session_id = $1 AND item = $2 AND seq < $3
        AND kind IN ('text.delta', 'reasoning.delta', 'item.updated')";
    ENTRIES = "SELECT seq, kind, version, at_ms, turn, body FROM entries
        WHERE session_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    INPUT_AFTER = "SELECT seq, kind, version, at_ms, turn, body FROM entries
        WHERE session_id = $1 AND seq > $2 AND kind IN ('input', 'queued', 'permission.answered') ORDER BY seq LIMIT $3";

    RESTORED_COUNT = "SELECT COUNT(*) FROM entries WHERE session_id = $1 AND kind = 'restored'";

    // What a search looks at.
    SEARCHED = "SELECT seq, kind, version, at_ms, turn, body FROM entries WHERE session_id = $1 AND seq > $2
        AND (kind IN ('turn.started', 'run.started', 'input', 'queued')
            OR (kind = 'item.completed' AND part IN ('text', 'synthesis'))
            OR (kind = 'item.started' AND part = 'tool_call'))
        ORDER BY seq LIMIT $3";

    FORK_SESSION = "INSERT INTO sessions
        (id, project_id, title, state, work_tree, model, created_ms, active_ms, next_seq)
        SELECT CAST($2 AS TEXT), project_id, CAST($3 AS TEXT), CAST($4 AS TEXT), work_tree, model,
        CAST($5 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT)
        FROM sessions WHERE id = $1";
    FORK_ENTRIES = "INSERT INTO entries (session_id, seq, kind, part, item, version, at_ms, turn, body)
        SELECT CAST($2 AS TEXT), seq, kind, part, item, version, at_ms, turn, body FROM entries
        WHERE session_id = $1 AND seq <= $3 AND kind NOT IN ('text.delta', 'reasoning.delta', 'item.updated')";
    FORK_OUTPUTS = "INSERT INTO outputs (session_id, id, body, created_ms)
        SELECT CAST($2 AS TEXT), id, body, created_ms FROM outputs WHERE session_id = $1";

    PUT_MESSAGE = "INSERT INTO messages (session_id, id, role, status, first_seq, touched_ms)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (session_id, id) DO UPDATE SET status = excluded.status, touched_ms = excluded.touched_ms";
    TOUCH_STREAMING = "UPDATE messages SET touched_ms = $2 WHERE session_id = $1 AND status = 'streaming'";
    MESSAGES = "SELECT id, role, status, first_seq, touched_ms FROM messages
        WHERE session_id = $1 ORDER BY first_seq, id";
    DELETE_MESSAGES = "DELETE FROM messages WHERE session_id = $1";
    STALE_SESSIONS = "SELECT session_id FROM messages WHERE status = 'streaming' AND touched_ms < $1
        GROUP BY session_id ORDER BY MIN(touched_ms), session_id LIMIT $2";

    // Sentinels are the `system` messages; each has its entry where its message begins.
    SENTINELS = "SELECT e.session_id, e.seq, e.body FROM messages m
        JOIN entries e ON e.session_id = m.session_id AND e.seq = m.first_seq
        WHERE m.role = 'system' AND e.kind = 'sentinel' ORDER BY m.touched_ms DESC, e.session_id, e.seq LIMIT $1";
    BEGUN_AFTER = "SELECT kind FROM entries WHERE session_id = $1 AND seq > $2
        AND kind IN ('turn.started', 'run.started') ORDER BY seq LIMIT 1";

    PUT_OUTPUT = "INSERT INTO outputs (session_id, id, body, created_ms) VALUES ($1, $2, $3, $4)
        ON CONFLICT (session_id, id) DO UPDATE SET body = excluded.body, created_ms = excluded.created_ms";
    OUTPUT = "SELECT body FROM outputs WHERE session_id = $1 AND id = $2";

    LEASE = "SELECT scope, holder, epoch, until_ms, session_id FROM leases WHERE scope = $1";
    // Takes a lease only in the state it was looked at in ($6, 0 for none): who comes second gets no row back.
    TAKE_LEASE = "INSERT INTO leases (scope, holder, epoch, until_ms, session_id) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (scope) DO UPDATE SET holder = excluded.holder, epoch = excluded.epoch,
        until_ms = excluded.until_ms, session_id = excluded.session_id
        WHERE leases.epoch = $6 RETURNING epoch";
    // A lease given up (0) stays given up.
    RENEW_LEASE = "UPDATE leases SET until_ms = $5
        WHERE scope = $1 AND holder = $2 AND epoch = $3 AND session_id = $4 AND until_ms <> 0";
    GIVE_UP_LEASE = "UPDATE leases SET until_ms = 0
        WHERE scope = $1 AND holder = $2 AND epoch = $3 AND session_id = $4";

    MODEL_NOTE = "SELECT mode, mode_by, thinking, window_tokens, told_tokens, card, changed_ms, is_unbound
        FROM model_notes WHERE model = $1 AND base_url = $2";
    // What was seen last counts: what a turn shows outweighs an earlier exam.
    NOTE_MODE = "INSERT INTO model_notes (model, base_url, mode, mode_by, changed_ms) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (model, base_url) DO UPDATE SET mode = excluded.mode, mode_by = excluded.mode_by,
        changed_ms = excluded.changed_ms";
    NOTE_UNBOUND = "INSERT INTO model_notes (model, base_url, is_unbound, changed_ms) VALUES ($1, $2, 1, $3)
        ON CONFLICT (model, base_url) DO UPDATE SET is_unbound = 1, changed_ms = excluded.changed_ms";
    NOTE_WINDOW = "INSERT INTO model_notes (model, base_url, window_tokens, told_tokens, changed_ms)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (model, base_url) DO UPDATE SET window_tokens = excluded.window_tokens,
        told_tokens = excluded.told_tokens, changed_ms = excluded.changed_ms";
    NOTE_EXAM = "INSERT INTO model_notes
        (model, base_url, mode, mode_by, thinking, window_tokens, told_tokens, card, is_unbound, changed_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (model, base_url) DO UPDATE SET mode = excluded.mode, mode_by = excluded.mode_by,
        thinking = excluded.thinking, window_tokens = excluded.window_tokens, told_tokens = excluded.told_tokens,
        card = excluded.card, is_unbound = excluded.is_unbound, changed_ms = excluded.changed_ms";
    ALLOW = "INSERT INTO allowed_patterns (project_root, pattern, created_ms) VALUES ($1, $2, $3)
        ON CONFLICT (project_root, pattern) DO NOTHING";
    ALLOWED = "SELECT pattern, created_ms FROM allowed_patterns WHERE project_root = $1 ORDER BY created_ms, pattern";
    DISALLOW = "DELETE FROM allowed_patterns WHERE project_root = $1 AND pattern = $2";

    // The work tree is the session's. One that is settled after a crash may be there already.
    ADD_CHECKPOINT = "INSERT INTO checkpoints
        (id, root, session_id, worktree_id, message_id, moment, commit_sha, label, not_captured, created_ms)
        SELECT CAST($1 AS TEXT), s.work_tree, s.id, (SELECT w.id FROM worktrees w WHERE w.path = s.work_tree),
        CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS TEXT), CAST($7 AS TEXT), CAST($8 AS BIGINT)
        FROM sessions s WHERE s.id = $2 ON CONFLICT (id) DO NOTHING";
    SESSION_CHECKPOINTS = "SELECT id, root, session_id, message_id, moment, commit_sha, label, created_ms FROM checkpoints
        WHERE session_id = $1 ORDER BY created_ms, id";
    INSERT_CHECKPOINT = "INSERT INTO checkpoints
        (id, root, session_id, worktree_id, message_id, moment, commit_sha, label, not_captured, created_ms)
        VALUES ($1, $2, NULL, (SELECT w.id FROM worktrees w WHERE w.path = $2), NULL, $3, $4, $5, $6, $7)";
    TREE_CHECKPOINTS = "SELECT id, root, session_id, message_id, moment, commit_sha, label, created_ms FROM checkpoints
        WHERE root = $1 ORDER BY created_ms DESC, id DESC LIMIT $2";
    PROJECT_CHECKPOINTS = "SELECT id, root, session_id, message_id, moment, commit_sha, label, created_ms FROM checkpoints
        WHERE root = $1 OR session_id IN
        (SELECT s.id FROM sessions s JOIN projects p ON p.id = s.project_id WHERE p.root = $1)
        ORDER BY created_ms DESC, id DESC LIMIT $2";
    CHECKPOINTS_BY_PREFIX = "SELECT id, root, session_id, message_id, moment, commit_sha, label, created_ms FROM checkpoints
        WHERE substr(id, 1, length(CAST($1 AS TEXT))) = $1 ORDER BY created_ms DESC, id DESC LIMIT $2";
    DELETE_CHECKPOINT = "DELETE FROM checkpoints WHERE id = $1";

    FORGET_MODEL = "DELETE FROM model_notes WHERE model = $1 AND base_url = $2";

    DECISION = "SELECT is_trusted FROM trusted_files WHERE path = $1 AND hash = $2";
    DECIDE = "INSERT INTO trusted_files (path, hash, is_trusted, decided_ms) VALUES ($1, $2, $3, $4)
        ON CONFLICT (path) DO UPDATE SET hash = excluded.hash, is_trusted = excluded.is_trusted,
        decided_ms = excluded.decided_ms";
    FORGET_DECISION = "DELETE FROM trusted_files WHERE path = $1";

    ADD_WORKTREE = "INSERT INTO worktrees (id, session_id, project_root, path, branch, base_sha, created_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    OWN_WORKTREE = "UPDATE worktrees SET session_id = $2 WHERE id = $1";
    WORKTREES = "SELECT id, session_id, project_root, path, branch, base_sha, created_ms FROM worktrees
        ORDER BY created_ms DESC, id DESC";
    // In one of them it is that one.
    WORKTREES_OF_PROJECT = "SELECT id, session_id, project_root, path, branch, base_sha, created_ms FROM worktrees
        WHERE project_root = $1 OR path = $1 ORDER BY created_ms DESC, id DESC";
    WORKTREE_AT = "SELECT id, session_id, project_root, path, branch, base_sha, created_ms FROM worktrees WHERE path = $1";
    WORKTREE_OF_SESSION = "SELECT id, session_id, project_root, path, branch, base_sha, created_ms FROM worktrees
        WHERE session_id = $1 ORDER BY created_ms DESC, id DESC LIMIT 1";
    // By its own id, or by its session's.
    WORKTREES_BY_PREFIX = "SELECT id, session_id, project_root, path, branch, base_sha, created_ms FROM worktrees
        WHERE substr(id, 1, length(CAST($1 AS TEXT))) = $1 OR substr(session_id, 1, length(CAST($1 AS TEXT))) = $1
        ORDER BY created_ms DESC, id DESC LIMIT $2";
    DELETE_WORKTREE = "DELETE FROM worktrees WHERE id = $1";
}

/// SQLite takes the write lock at the beginning: a transaction that reads first and writes later is refused at once when
/// somebody else wrote in between, and no busy timeout helps.
pub const BEGIN_SQLITE: &str = "BEGIN IMMEDIATE";
pub const BEGIN_POSTGRES: &str = "BEGIN";

/// Changes whenever another connection has written; asks no table. PostgreSQL has no such mark: see `NEXT_SEQ`.
pub const DATA_VERSION_SQLITE: &str = "PRAGMA data_version";

/// From here on what this connection deletes is overwritten, not only let go. PostgreSQL has its vacuum.
pub const OVERWRITE_SQLITE: &str = "PRAGMA secure_delete = ON";
/// What was written before stays readable in the write-ahead log until that is folded into the file.
pub const FOLD_WAL_SQLITE: &str = "PRAGMA wal_checkpoint(TRUNCATE)";
/// Bytes: neither engine has the other's way to tell.
pub const SIZE_SQLITE: &str = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";
pub const SIZE_POSTGRES: &str = "SELECT pg_database_size(current_database())";

/// Per connection. WAL itself is a property of the file and is set once, under the lock of the migrations.
pub const CONNECTION_SQLITE: &str =
    "PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;";
pub const WAL_SQLITE: &str = "PRAGMA journal_mode = WAL";
/// Tables in a file that has none of ours: it belongs to another program.
pub const FOREIGN_TABLES_SQLITE: &str = "SELECT COUNT(*) FROM sqlite_master
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '_sqlx_migrations')";
