-- Declared HTTP tools.
CREATE TABLE tool (
  name       TEXT PRIMARY KEY,
  definition TEXT NOT NULL, -- JSON with the API's field names, without the headers
  headers    TEXT NOT NULL, -- sealed JSON object
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- A sub-agent's conversation hangs below the session whose agent called it.
ALTER TABLE session ADD COLUMN parent_id TEXT REFERENCES session (id) ON DELETE CASCADE;
CREATE INDEX session_children ON session (parent_id) WHERE parent_id IS NOT NULL;

ALTER TABLE turn ADD COLUMN user_id TEXT NOT NULL DEFAULT ''; -- who sent its message
ALTER TABLE turn ADD COLUMN call_id TEXT; -- the call that a sub-agent's turn answers
ALTER TABLE turn ADD COLUMN parent_turn INTEGER; -- the turn, of its session's parent, that called it
CREATE UNIQUE INDEX turn_of_call ON turn (call_id) WHERE call_id IS NOT NULL;

-- The ledger of tool calls, which is the audit log: it outlives sessions, and a row that has ended
-- (it has a number then) never changes.
CREATE TABLE tool_call (
  call_id     TEXT PRIMARY KEY, -- the engine's own, also the call's idempotency key
  session_id  TEXT NOT NULL, -- the root session, where a confirmation is answered
  path        TEXT NOT NULL, -- the agents from the root down: assistant/researcher
  agent       TEXT NOT NULL,
  tool        TEXT NOT NULL,
  user_id     TEXT NOT NULL,
  input       TEXT NOT NULL, -- JSON
  status      TEXT NOT NULL, -- waiting, running, completed, failed
  input_hash  TEXT, -- of what a person was shown; null when nobody was asked
  decision    TEXT, -- approve, reject, answer, expired
  reason      TEXT,
  decided_by  TEXT,
  output      TEXT, -- JSON
  duration_ms BIGINT NOT NULL DEFAULT 0,
  created_at  BIGINT NOT NULL,
  number      BIGINT, -- its place in the audit log
  hash        TEXT -- seals the row and all rows before it
);
CREATE UNIQUE INDEX tool_call_ended ON tool_call (number) WHERE number IS NOT NULL;
-- For the query of the audit log, newest first. Where several would do SQLite, which has no statistics, takes
-- the one made last, so they come in order of how few rows they find; and each but the last holds what those
-- before it find by, so that filters together still read only an index.
CREATE INDEX tool_call_by_time ON tool_call (created_at, number) WHERE number IS NOT NULL;
CREATE INDEX tool_call_by_status ON tool_call (status, created_at, number) WHERE number IS NOT NULL;
CREATE INDEX tool_call_by_agent ON tool_call (agent, created_at, number, status) WHERE number IS NOT NULL;
CREATE INDEX tool_call_by_tool ON tool_call (tool, created_at, number, status, agent) WHERE number IS NOT NULL;
CREATE INDEX tool_call_by_user ON tool_call (user_id, created_at, number, status, agent, tool) WHERE number IS NOT NULL;
CREATE INDEX tool_call_by_session ON tool_call (session_id, created_at, number) WHERE number IS NOT NULL;
CREATE INDEX tool_call_open ON tool_call (session_id, call_id) WHERE number IS NULL;

-- The end of the audit log: without it the newest rows could be removed unnoticed.
CREATE TABLE audit_head (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  number BIGINT NOT NULL,
  hash   TEXT NOT NULL,
  seal   TEXT NOT NULL
);

-- The first answer to a request that may be sent again.
CREATE TABLE idempotency_key (
  owner      TEXT NOT NULL,
  key        TEXT NOT NULL,
  body_hash  TEXT NOT NULL,
  session_id TEXT REFERENCES session (id) ON DELETE CASCADE, -- of a message
  turn       INTEGER, -- of a message
  task_id    TEXT, -- of a task
  created_at BIGINT NOT NULL,
  PRIMARY KEY (owner, key)
) ${clustered};
CREATE INDEX idempotency_key_of_turn ON idempotency_key (session_id, turn);
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
