-- What running tasks share: counters, named values, rounds of barriers, versions of groups.
CREATE TABLE shared_thing (
  scope TEXT NOT NULL,
  -- position in SharedKind
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  version INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (scope, kind, name)
) WITHOUT ROWID;

-- Who waits for one of them, holds it or is inside, what is in a queue, what a run was told.
CREATE TABLE shared_entry (
  number INTEGER NOT NULL PRIMARY KEY,
  scope TEXT NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  task TEXT NOT NULL,
  lease TEXT NOT NULL,
  data BLOB NOT NULL
);
