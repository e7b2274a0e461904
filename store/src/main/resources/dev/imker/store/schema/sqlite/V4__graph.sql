-- Why a task is in its state where no attempt tells, and how a job as a whole stands after a failure.

ALTER TABLE task ADD COLUMN reason TEXT;
ALTER TABLE job ADD COLUMN phase TEXT NOT NULL DEFAULT '';
