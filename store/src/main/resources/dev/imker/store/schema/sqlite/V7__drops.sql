-- Files taken from drop folders.

CREATE TABLE drop_item (
  id TEXT NOT NULL PRIMARY KEY,
  folder TEXT NOT NULL,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  -- 0 running, 1 done, 2 failed, 3 withdrawn
  state INTEGER NOT NULL,
  -- 1 while something is to be done about it
  is_open INTEGER NOT NULL,
  shown INTEGER NOT NULL,
  -- numbers with spaces between them
  jobs TEXT NOT NULL,
  cause TEXT NOT NULL,
  taken_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
);
CREATE INDEX drop_item_by_folder ON drop_item (folder, is_open, taken_at);
