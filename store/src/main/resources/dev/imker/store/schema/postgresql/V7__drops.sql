-- Files taken from drop folders.

CREATE TABLE drop_item (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  folder TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  -- 0 running, 1 done, 2 failed, 3 withdrawn
  state INTEGER NOT NULL,
  -- 1 while something is to be done about it
  is_open INTEGER NOT NULL,
  shown INTEGER NOT NULL,
  -- numbers with spaces between them
  jobs TEXT COLLATE "C" NOT NULL,
  cause TEXT COLLATE "C" NOT NULL,
  taken_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);
CREATE INDEX drop_item_by_folder ON drop_item (folder, is_open, taken_at);
