-- Which rows of the live state each transaction of a leader touched, in the same transaction, for
-- servers that follow. An epoch begins with turn 0, which names the last turn of the one before.
CREATE TABLE change_log (
  epoch BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  mark UUID NOT NULL DEFAULT gen_random_uuid(),
  previous BIGINT,
  touched BYTEA NOT NULL,
  PRIMARY KEY (epoch, turn)
);
