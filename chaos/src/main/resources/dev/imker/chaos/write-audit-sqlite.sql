-- The same for a pool of one server in a folder: it is always that server that writes, and the
-- order is counted in a row, since every transaction has the database for itself.
CREATE TABLE chaos_order (n INTEGER NOT NULL);;
INSERT INTO chaos_order VALUES (0);;
CREATE TABLE chaos_epoch (
  n INTEGER PRIMARY KEY, at INTEGER NOT NULL, server TEXT NOT NULL, epoch INTEGER NOT NULL
);;
CREATE TABLE chaos_write (n INTEGER PRIMARY KEY, server TEXT NOT NULL, relation TEXT NOT NULL);;
CREATE TABLE chaos_task (
  n INTEGER PRIMARY KEY, at INTEGER NOT NULL, server TEXT NOT NULL, task INTEGER NOT NULL,
  before INTEGER, state INTEGER NOT NULL, token INTEGER, number INTEGER
);;
CREATE TRIGGER chaos_epoch AFTER UPDATE OF epoch ON pool WHEN OLD.epoch <> NEW.epoch BEGIN
  UPDATE chaos_order SET n = n + 1;
  INSERT INTO chaos_epoch
  SELECT n, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER), 's1', NEW.epoch
  FROM chaos_order;
END;;
CREATE TRIGGER chaos_task_added AFTER INSERT ON task BEGIN
  UPDATE chaos_order SET n = n + 1;
  INSERT INTO chaos_task
  SELECT n, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER), 's1', NEW.id, NULL,
    NEW.state, NEW.token, NEW.number
  FROM chaos_order;
END;;
CREATE TRIGGER chaos_task_changed AFTER UPDATE ON task BEGIN
  UPDATE chaos_order SET n = n + 1;
  INSERT INTO chaos_task
  SELECT n, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER), 's1', NEW.id, OLD.state,
    NEW.state, NEW.token, NEW.number
  FROM chaos_order;
END;;
