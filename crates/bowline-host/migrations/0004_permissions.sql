-- What the user allowed for a project, as the patterns of rules. A project is its root; it may have no session left.

CREATE TABLE allowed_patterns (
    project_root TEXT NOT NULL,
    pattern TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (project_root, pattern)
);
