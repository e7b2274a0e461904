-- What was kept among the settings of the pool, under names that told what it is.

-- What tasks saved to go on with.
CREATE TABLE checkpoint (
  task TEXT NOT NULL PRIMARY KEY,
  files TEXT NOT NULL
);
INSERT INTO checkpoint (task, files) SELECT SUBSTR(name, 12), value FROM setting WHERE SUBSTR(name, 1, 11) = 'checkpoint/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 11) = 'checkpoint/';

-- What single tasks of a job have of their own.
CREATE TABLE task_limit (
  job TEXT NOT NULL PRIMARY KEY,
  limits TEXT NOT NULL
);
INSERT INTO task_limit (job, limits) SELECT SUBSTR(name, 14), value FROM setting WHERE SUBSTR(name, 1, 13) = 'tasks.limits.' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 13) = 'tasks.limits.';

-- How far nodes are trusted, with the hashes of their keys.
CREATE TABLE node_trust (
  node TEXT NOT NULL PRIMARY KEY,
  trust TEXT NOT NULL
);
INSERT INTO node_trust (node, trust) SELECT SUBSTR(name, 7), value FROM setting WHERE SUBSTR(name, 1, 6) = 'trust/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 6) = 'trust/';

-- On which terms nodes are used.
CREATE TABLE node_terms (
  node TEXT NOT NULL PRIMARY KEY,
  terms TEXT NOT NULL
);
INSERT INTO node_terms (node, terms) SELECT SUBSTR(name, 12), value FROM setting WHERE SUBSTR(name, 1, 11) = 'node-terms/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 11) = 'node-terms/';

-- Keys of agents.
CREATE TABLE agent_key (
  agent TEXT NOT NULL PRIMARY KEY,
  entry TEXT NOT NULL
);
INSERT INTO agent_key (agent, entry) SELECT SUBSTR(name, 11), value FROM setting WHERE SUBSTR(name, 1, 10) = 'agent-key/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 10) = 'agent-key/';

-- Join tokens that were issued.
CREATE TABLE join_token (
  id TEXT NOT NULL PRIMARY KEY,
  token TEXT NOT NULL
);
INSERT INTO join_token (id, token) SELECT SUBSTR(name, 12), value FROM setting WHERE SUBSTR(name, 1, 11) = 'join-token/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 11) = 'join-token/';

-- Cookies of browsers that have logged out.
CREATE TABLE ended_session (
  cookie_hash TEXT NOT NULL PRIMARY KEY,
  expires_at TEXT NOT NULL
);
INSERT INTO ended_session (cookie_hash, expires_at) SELECT SUBSTR(name, 12), value FROM setting WHERE SUBSTR(name, 1, 11) = 'logged-out/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 11) = 'logged-out/';

-- Secrets of users for their jobs (user/name), encrypted.
CREATE TABLE job_secret (
  name TEXT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL
);
INSERT INTO job_secret (name, secret) SELECT SUBSTR(name, 8), value FROM setting WHERE SUBSTR(name, 1, 7) = 'secret/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 7) = 'secret/';

-- Jobs that are being imported, with the epoch that began it.
CREATE TABLE unfinished_import (
  job TEXT NOT NULL PRIMARY KEY,
  epoch TEXT NOT NULL
);
INSERT INTO unfinished_import (job, epoch) SELECT SUBSTR(name, 8), value FROM setting WHERE SUBSTR(name, 1, 7) = 'import/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 7) = 'import/';

-- Data sets.
CREATE TABLE data_set (
  name TEXT NOT NULL PRIMARY KEY,
  files TEXT NOT NULL
);
INSERT INTO data_set (name, files) SELECT SUBSTR(name, 9), value FROM setting WHERE SUBSTR(name, 1, 8) = 'dataset.' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 8) = 'dataset.';

-- Drop folders.
CREATE TABLE drop_folder (
  number TEXT NOT NULL PRIMARY KEY,
  folder TEXT NOT NULL
);
INSERT INTO drop_folder (number, folder) SELECT SUBSTR(name, 13), value FROM setting WHERE SUBSTR(name, 1, 12) = 'drop.folder.' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 12) = 'drop.folder.';

-- Task libraries (user/name/version).
CREATE TABLE library (
  name TEXT NOT NULL PRIMARY KEY,
  version TEXT NOT NULL
);
INSERT INTO library (name, version) SELECT SUBSTR(name, 9), value FROM setting WHERE SUBSTR(name, 1, 8) = 'library/' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 8) = 'library/';

-- Retention rules of single users.
CREATE TABLE user_retention (
  pool_user TEXT NOT NULL PRIMARY KEY,
  rules TEXT NOT NULL
);
INSERT INTO user_retention (pool_user, rules) SELECT SUBSTR(name, 16), value FROM setting WHERE SUBSTR(name, 1, 15) = 'retention.user.' AND value <> '';
DELETE FROM setting WHERE SUBSTR(name, 1, 15) = 'retention.user.';

-- Libraries were one list.
INSERT INTO library (name, version)
SELECT one ->> 'user' || '/' || (one ->> 'name') || '/' || (one ->> 'version'), one::text
FROM setting, jsonb_array_elements(setting.value::jsonb) AS one WHERE setting.name = 'libraries';
DELETE FROM setting WHERE name = 'libraries';
