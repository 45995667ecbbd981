-- The announcement of a rewind by the program itself.
INSERT INTO entry_kinds (kind) VALUES ('rewinding');
