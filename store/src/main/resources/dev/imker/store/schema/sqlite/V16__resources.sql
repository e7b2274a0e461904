-- What attempts were given of their machine and of the pool, if it is more or less than one core.
CREATE TABLE granted (
  task INTEGER NOT NULL,
  token INTEGER NOT NULL,
  amounts TEXT NOT NULL,
  PRIMARY KEY (task, token)
) WITHOUT ROWID;

-- What exists once for all machines, such as licences.
CREATE TABLE pool_resource (
  name TEXT NOT NULL PRIMARY KEY,
  amount TEXT NOT NULL
) WITHOUT ROWID;
