-- Rate limits that are keyed on a header.
CREATE TABLE rate_limit_rule (
  name       TEXT PRIMARY KEY,
  definition TEXT NOT NULL -- JSON with the document's field names
);

-- How often each key came in its window, where several nodes count together; a single node counts
-- in memory. What a crash of the database takes away is the counts of the present windows.
CREATE ${unlogged} TABLE rate_limit_count (
  rule       TEXT NOT NULL, -- or default, the limit in the settings
  key        TEXT NOT NULL,
  tier       TEXT NOT NULL, -- of the last request
  started_at BIGINT NOT NULL,
  ends_at    BIGINT NOT NULL,
  used       INTEGER NOT NULL,
  PRIMARY KEY (rule, key)
) ${clustered};
CREATE INDEX rate_limit_count_by_end ON rate_limit_count (ends_at);
