-- What is remembered per model: how it is called, how it thinks, the window it was found to have, the card of its exam. A
-- model is its full name (`server/name`) at an address, since two machines may serve one name.

CREATE TABLE calling_modes (mode TEXT NOT NULL PRIMARY KEY);
INSERT INTO calling_modes (mode) VALUES ('native'), ('text'), ('constrained');

-- What decided the mode: the server refused tools, the model wrote its calls as text, the exam.
CREATE TABLE mode_reasons (reason TEXT NOT NULL PRIMARY KEY);
INSERT INTO mode_reasons (reason) VALUES ('refused'), ('written'), ('exam');

CREATE TABLE thinking_levels (level TEXT NOT NULL PRIMARY KEY);
INSERT INTO thinking_levels (level) VALUES ('auto'), ('off'), ('low'), ('high');

CREATE TABLE model_notes (
    model TEXT NOT NULL,
    base_url TEXT NOT NULL,
    mode TEXT REFERENCES calling_modes (mode),
    mode_by TEXT REFERENCES mode_reasons (reason),
    thinking TEXT REFERENCES thinking_levels (level),
    window_tokens BIGINT,
    card TEXT,
    changed_ms BIGINT NOT NULL,
    PRIMARY KEY (model, base_url)
);
