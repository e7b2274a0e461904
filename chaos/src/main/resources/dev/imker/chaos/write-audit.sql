-- The database writes down who writes. Every life of a server names itself in its address:
-- options=-c chaos.server=NAME. The sequence gives the order: whoever may write holds the lock of
-- the pool's row until the end of the transaction, so a successor draws later numbers.
CREATE SEQUENCE chaos_order;

CREATE TABLE chaos_epoch (
  n BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL, server TEXT NOT NULL, epoch BIGINT NOT NULL
);
CREATE TABLE chaos_write (
  n BIGINT PRIMARY KEY, server TEXT NOT NULL, relation TEXT NOT NULL
);
CREATE TABLE chaos_task (
  n BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL, server TEXT NOT NULL, task BIGINT NOT NULL,
  before INTEGER, state INTEGER NOT NULL, token BIGINT, number INTEGER
);

CREATE FUNCTION chaos_server() RETURNS TEXT LANGUAGE SQL AS
$$ SELECT coalesce(current_setting('chaos.server', true), 'unknown') $$;

CREATE FUNCTION chaos_saw_epoch() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos_epoch
  VALUES (nextval('chaos_order'), clock_timestamp(), chaos_server(), NEW.epoch);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_epoch AFTER UPDATE ON pool FOR EACH ROW
WHEN (OLD.epoch IS DISTINCT FROM NEW.epoch) EXECUTE FUNCTION chaos_saw_epoch();

CREATE FUNCTION chaos_saw_write() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos_write VALUES (nextval('chaos_order'), chaos_server(), TG_TABLE_NAME);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_job AFTER INSERT OR UPDATE OR DELETE ON job FOR EACH STATEMENT
EXECUTE FUNCTION chaos_saw_write();
CREATE TRIGGER chaos_attempt AFTER INSERT OR UPDATE OR DELETE ON attempt FOR EACH STATEMENT
EXECUTE FUNCTION chaos_saw_write();
CREATE TRIGGER chaos_copy AFTER INSERT OR UPDATE OR DELETE ON copy_lease FOR EACH STATEMENT
EXECUTE FUNCTION chaos_saw_write();

CREATE FUNCTION chaos_saw_task() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos_task
  VALUES (nextval('chaos_order'), clock_timestamp(), chaos_server(), NEW.id,
    CASE WHEN TG_OP = 'UPDATE' THEN OLD.state END, NEW.state, NEW.token, NEW.number);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_task AFTER INSERT OR UPDATE ON task FOR EACH ROW
EXECUTE FUNCTION chaos_saw_task();
