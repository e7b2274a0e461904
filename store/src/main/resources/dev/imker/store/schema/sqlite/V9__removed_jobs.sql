-- Jobs that are gone, but not yet all that is known of their tasks: large ones go bit by bit.
CREATE TABLE removed_job (
  id INTEGER PRIMARY KEY,
  task_count INTEGER NOT NULL
);
