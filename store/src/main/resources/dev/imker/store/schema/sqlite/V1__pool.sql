-- Times are milliseconds since 1970. States, outcomes and kinds are the ordinals of the model's enums.

CREATE TABLE pool (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL
);
INSERT INTO pool (one, epoch) VALUES (1, 0);

CREATE TABLE setting (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Names that occur in many rows are written once and referred to by number.
CREATE TABLE pool_user (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE project (
  id INTEGER PRIMARY KEY,
  pool_user INTEGER NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (pool_user, name)
);

CREATE TABLE node (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE agent (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  node INTEGER,
  title TEXT,
  version TEXT,
  platform TEXT,
  slots INTEGER NOT NULL DEFAULT 0,
  connected INTEGER NOT NULL DEFAULT 0,
  seen_at INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL,
  pool_user INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind INTEGER NOT NULL,
  task_count INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  -- 0 has live tasks, 1 done, 2 failed, 3 cancelled
  status INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  ready INTEGER NOT NULL,
  running INTEGER NOT NULL,
  done INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  blocked INTEGER NOT NULL,
  auto_blocked INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  submitted_at INTEGER NOT NULL,
  -- -1 while the job has live tasks
  settled_at INTEGER NOT NULL,
  request_key TEXT UNIQUE,
  command TEXT NOT NULL,
  spec TEXT NOT NULL
);
CREATE INDEX job_by_status ON job (status, id);
CREATE INDEX job_by_name ON job (name, id);
CREATE INDEX job_by_project ON job (project, id);
CREATE INDEX job_by_user ON job (pool_user, id);

-- One row per task that left its initial state; id = job * 2^24 + position in the job.
CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  state INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- the attempt that runs or that settled the task
  token INTEGER,
  number INTEGER,
  agent INTEGER,
  node INTEGER,
  leased_at INTEGER,
  -- how it ended
  outcome INTEGER,
  exit_code INTEGER,
  started_at INTEGER,
  ended_at INTEGER,
  report BLOB,
  output BLOB
);

-- Further attempts that run at the same time as the one in the task's row.
CREATE TABLE copy_lease (
  task INTEGER NOT NULL,
  token INTEGER NOT NULL,
  number INTEGER NOT NULL,
  agent INTEGER NOT NULL,
  node INTEGER NOT NULL,
  leased_at INTEGER NOT NULL,
  PRIMARY KEY (task, token)
) WITHOUT ROWID;

-- Attempts that ended without settling their task.
CREATE TABLE attempt (
  task INTEGER NOT NULL,
  token INTEGER NOT NULL,
  number INTEGER NOT NULL,
  agent INTEGER NOT NULL,
  node INTEGER NOT NULL,
  leased_at INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  exit_code INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  report BLOB,
  output BLOB,
  PRIMARY KEY (task, token)
) WITHOUT ROWID;
