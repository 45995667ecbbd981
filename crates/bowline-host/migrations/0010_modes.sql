-- Why a mode is remembered: the server could not read its model's calls, the model answered with code, or made no call in text
-- mode.
INSERT INTO mode_reasons (reason) VALUES ('unread'), ('fenced'), ('no_call');

-- 1 where the server refused or ignored a schema that an answer was to be bound to.
ALTER TABLE model_notes ADD COLUMN is_unbound BIGINT;

-- Earlier versions knew neither the size of a model nor a way out of text mode: the modes they remembered, also those of an
-- exam, would keep small models from the mode that suits them. What was learned about windows and thinking stays.
UPDATE model_notes SET mode = NULL, mode_by = NULL, card = NULL;
