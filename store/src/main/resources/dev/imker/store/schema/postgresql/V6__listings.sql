-- Specifications are large and seldom read: apart from them, rows of jobs stay small.

CREATE TABLE job_spec (
  job BIGINT PRIMARY KEY,
  spec TEXT COLLATE "C" NOT NULL
);
INSERT INTO job_spec (job, spec) SELECT id, spec FROM job;
ALTER TABLE job DROP COLUMN spec;

-- Tasks that neither run (2) nor are done (3) are few among those with a row, or came in one step.
CREATE INDEX task_troubled ON task (state, id) WHERE state NOT IN (2, 3);
