-- The session of a program that a job was submitted in; its outcomes are told there.
ALTER TABLE job ADD COLUMN session TEXT NOT NULL DEFAULT '';
