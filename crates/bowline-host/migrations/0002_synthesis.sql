-- A synthesis is a part of its own.
INSERT INTO part_kinds (kind) VALUES ('synthesis');
