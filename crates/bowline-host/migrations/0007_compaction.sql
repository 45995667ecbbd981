-- The conversation folded into a summary.
INSERT INTO entry_kinds (kind) VALUES ('compacted');

-- What a server really has is remembered beside what it told: a server that tells something else is believed again.
ALTER TABLE model_notes ADD COLUMN told_tokens BIGINT;
