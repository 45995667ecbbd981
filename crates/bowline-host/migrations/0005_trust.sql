-- What the user said about the configuration of a project: one answer for a file, good for the content it was given for.

CREATE TABLE trusted_files (
    path TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL,
    is_trusted BIGINT NOT NULL,
    decided_ms BIGINT NOT NULL
);
