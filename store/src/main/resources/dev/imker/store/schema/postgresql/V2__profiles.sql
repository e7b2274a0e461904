-- What is known of how nodes and projects behave: JSON with a version, in the order they first came.

CREATE TABLE node_profile (
  node INTEGER PRIMARY KEY,
  profile TEXT COLLATE "C" NOT NULL
);

CREATE TABLE project_profile (
  project INTEGER PRIMARY KEY,
  profile TEXT COLLATE "C" NOT NULL
);
