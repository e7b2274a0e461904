-- What attempts had of their machines, for as long as they ran.
ALTER TABLE usage_sum ADD COLUMN core_millis BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage_sum ADD COLUMN gpu_millis BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage_sum ADD COLUMN memory_mb_seconds BIGINT NOT NULL DEFAULT 0;

UPDATE usage_sum SET core_millis = wall_millis;
