-- When nodes came and went (ordinals of the model's enum), and what strategies have learnt.

CREATE TABLE availability (
  id INTEGER PRIMARY KEY,
  node INTEGER NOT NULL,
  at INTEGER NOT NULL,
  what INTEGER NOT NULL
);
CREATE INDEX availability_by_time ON availability (at);

CREATE TABLE strategy_memory (
  strategy TEXT NOT NULL,
  subject TEXT NOT NULL,
  memory TEXT NOT NULL,
  PRIMARY KEY (strategy, subject)
) WITHOUT ROWID;
