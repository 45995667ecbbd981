-- Checkpoints, restores, and the worktrees of sessions.
INSERT INTO entry_kinds (kind) VALUES ('checkpoint'), ('restoring'), ('restored');

-- A worktree outlives its session: what is in it may be nowhere else.
CREATE TABLE worktrees (
    id TEXT NOT NULL PRIMARY KEY,
    session_id TEXT REFERENCES sessions (id) ON DELETE SET NULL,
    project_root TEXT NOT NULL,
    path TEXT NOT NULL UNIQUE,
    branch TEXT NOT NULL,
    base_sha TEXT NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX worktrees_project ON worktrees (project_root, created_ms);

CREATE TABLE checkpoint_moments (moment TEXT NOT NULL PRIMARY KEY);
INSERT INTO checkpoint_moments (moment) VALUES ('before'), ('after'), ('restore'), ('hand');

-- `session_id` and `message_id` are null for one taken by hand.
CREATE TABLE checkpoints (
    id TEXT NOT NULL PRIMARY KEY,
    root TEXT NOT NULL,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    worktree_id TEXT REFERENCES worktrees (id) ON DELETE SET NULL,
    message_id TEXT,
    moment TEXT NOT NULL REFERENCES checkpoint_moments (moment),
    commit_sha TEXT NOT NULL,
    label TEXT NOT NULL,
    not_captured TEXT NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX checkpoints_session ON checkpoints (session_id, created_ms);
CREATE INDEX checkpoints_root ON checkpoints (root, created_ms);
