-- The log and what is looked up beside it. The same text runs on SQLite and PostgreSQL: columns are TEXT, BIGINT or
-- BYTEA, time is milliseconds, JSON is TEXT. Kinds and statuses are rows, so that a new one is an INSERT (SQLite cannot
-- change a constraint that exists).

CREATE TABLE entry_kinds (kind TEXT NOT NULL PRIMARY KEY);
INSERT INTO entry_kinds (kind) VALUES
    ('session.started'), ('session.updated'), ('turn.started'), ('run.started'), ('message.started'),
    ('message.completed'), ('input'), ('queued'), ('step.started'), ('step.completed'), ('item.started'),
    ('item.updated'), ('item.completed'), ('text.delta'), ('reasoning.delta'), ('sentinel'), ('permission.asked'),
    ('permission.answered'), ('turn.completed'), ('turn.paused'), ('turn.failed'), ('error');

CREATE TABLE part_kinds (kind TEXT NOT NULL PRIMARY KEY);
INSERT INTO part_kinds (kind) VALUES ('text'), ('reasoning'), ('tool_call'), ('tool_result'), ('step_start');

CREATE TABLE message_roles (role TEXT NOT NULL PRIMARY KEY);
INSERT INTO message_roles (role) VALUES ('user'), ('assistant'), ('system');

CREATE TABLE message_statuses (status TEXT NOT NULL PRIMARY KEY);
INSERT INTO message_statuses (status) VALUES ('streaming'), ('complete'), ('failed'), ('cancelled');

CREATE TABLE session_states (state TEXT NOT NULL PRIMARY KEY);
INSERT INTO session_states (state) VALUES ('idle'), ('running'), ('paused'), ('failed');

CREATE TABLE projects (
    id TEXT NOT NULL PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    created_ms BIGINT NOT NULL
);

CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    state TEXT NOT NULL REFERENCES session_states (state),
    work_tree TEXT NOT NULL,
    model TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    active_ms BIGINT NOT NULL,
    next_seq BIGINT NOT NULL
);
CREATE INDEX sessions_active ON sessions (project_id, active_ms);

CREATE TABLE entries (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL REFERENCES entry_kinds (kind),
    part TEXT REFERENCES part_kinds (kind),
    item TEXT,
    version BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    turn TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (session_id, seq)
);
CREATE INDEX entries_item ON entries (session_id, item) WHERE item IS NOT NULL;

CREATE TABLE messages (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    role TEXT NOT NULL REFERENCES message_roles (role),
    status TEXT NOT NULL REFERENCES message_statuses (status),
    first_seq BIGINT NOT NULL,
    touched_ms BIGINT NOT NULL,
    PRIMARY KEY (session_id, id)
);
CREATE INDEX messages_status ON messages (status, touched_ms);

-- Bytes, because a command may print U+0000, which PostgreSQL refuses in TEXT.
CREATE TABLE outputs (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    body BYTEA NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (session_id, id)
);

CREATE TABLE leases (
    scope TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    until_ms BIGINT NOT NULL,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX leases_session ON leases (session_id);
