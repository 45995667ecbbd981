-- What became of a change after the call that made it.
INSERT INTO entry_kinds (kind) VALUES ('change');
