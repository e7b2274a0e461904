-- What running tasks share: counters, named values, rounds of barriers, versions of groups.
CREATE TABLE shared_thing (
  scope TEXT COLLATE "C" NOT NULL,
  -- position in SharedKind
  kind INTEGER NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  value BIGINT NOT NULL,
  version BIGINT NOT NULL,
  data BYTEA NOT NULL,
  PRIMARY KEY (scope, kind, name)
);

-- Who waits for one of them, holds it or is inside, what is in a queue, what a run was told.
CREATE TABLE shared_entry (
  number BIGINT NOT NULL PRIMARY KEY,
  scope TEXT COLLATE "C" NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  task TEXT COLLATE "C" NOT NULL,
  lease TEXT COLLATE "C" NOT NULL,
  data BYTEA NOT NULL
);
