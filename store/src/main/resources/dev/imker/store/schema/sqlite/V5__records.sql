-- Accounts, what they use, what was done, and what is kept beside the work itself.

CREATE TABLE account (
  name TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  disabled INTEGER NOT NULL,
  stamp INTEGER NOT NULL,
  -- -1 is no limit
  quota_tasks INTEGER NOT NULL,
  quota_bytes INTEGER NOT NULL,
  quota_slots INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE TABLE api_token (
  hash TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  title TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- -1 is never
  expires_at INTEGER NOT NULL,
  UNIQUE (account, title)
);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  user_name TEXT NOT NULL,
  role TEXT NOT NULL,
  action TEXT NOT NULL,
  status INTEGER NOT NULL,
  address TEXT NOT NULL
);
CREATE INDEX audit_by_user ON audit (user_name, id);
CREATE INDEX audit_by_time ON audit (at);

-- Sums of attempts that ended; day = days since 1970 (UTC). The wasted part is in both columns.
CREATE TABLE usage_sum (
  day INTEGER NOT NULL,
  project INTEGER NOT NULL,
  node INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  wasted_attempts INTEGER NOT NULL,
  cpu_millis INTEGER NOT NULL,
  wasted_cpu_millis INTEGER NOT NULL,
  wall_millis INTEGER NOT NULL,
  wasted_wall_millis INTEGER NOT NULL,
  bytes_in INTEGER NOT NULL,
  bytes_out INTEGER NOT NULL,
  PRIMARY KEY (day, project, node)
);

-- Files that count for a user: brought by the user, or made by the user's tasks.
CREATE TABLE blob_owner (
  pool_user INTEGER NOT NULL,
  blob TEXT NOT NULL,
  size INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (pool_user, blob)
);

CREATE TABLE storage_sum (
  pool_user INTEGER NOT NULL PRIMARY KEY,
  bytes INTEGER NOT NULL
);

CREATE TABLE board_item (
  project INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  blob TEXT NOT NULL,
  size INTEGER NOT NULL,
  posted_by TEXT NOT NULL,
  posted_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (project, name)
);

-- 0 waiting, 1 being sent, 2 sent, 3 given up; channel 0 mail, 1 web hook
CREATE TABLE notice (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  settled_at INTEGER NOT NULL,
  channel INTEGER NOT NULL,
  address TEXT NOT NULL,
  state INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  error TEXT NOT NULL,
  UNIQUE (job, settled_at, channel, address)
);
CREATE INDEX notice_by_time ON notice (state, next_at);

-- The greatest number of a job that was removed.
ALTER TABLE pool ADD COLUMN last_job INTEGER NOT NULL DEFAULT 0;

CREATE INDEX job_by_settled ON job (settled_at, id);
