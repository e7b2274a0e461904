-- Contents of blobs that are objects in a store that speaks S3. A row is there before the object is,
-- and until the object is gone, so that none is forgotten.
CREATE TABLE blob_object (
  body BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  stored_at BIGINT NOT NULL
);

CREATE INDEX blob_object_stored ON blob_object (stored_at);
