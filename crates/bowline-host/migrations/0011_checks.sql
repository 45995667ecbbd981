-- Runs of the project's check by the program itself.
INSERT INTO entry_kinds (kind) VALUES ('checked');
