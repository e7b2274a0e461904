-- Every leader draws an incarnation at random when its epoch begins. A database that was restored from
-- a backup begins epochs again that agents have leases of; the incarnation tells those leases apart.
ALTER TABLE pool ADD COLUMN incarnation BIGINT NOT NULL DEFAULT 0;

CREATE TABLE term (
  epoch BIGINT NOT NULL PRIMARY KEY,
  incarnation BIGINT NOT NULL
);
