CREATE TABLE task (
  id          TEXT PRIMARY KEY,
  owner       TEXT NOT NULL,
  agent       TEXT NOT NULL,
  title       TEXT NOT NULL,
  description TEXT NOT NULL,
  status      TEXT NOT NULL, -- pending, in_progress, needs_input, completed, failed, cancelled
  session_id  TEXT REFERENCES session (id) ON DELETE SET NULL, -- from its start on
  result      TEXT,
  error       TEXT,
  created_at  BIGINT NOT NULL,
  started_at  BIGINT,
  finished_at BIGINT
) ${clustered};
CREATE INDEX task_open ON task (status, owner) WHERE finished_at IS NULL;
CREATE INDEX task_by_owner ON task (owner, id); -- ids sort by time
CREATE INDEX task_by_status ON task (status, id); -- an administrator's list, and counting
CREATE INDEX task_by_session ON task (session_id) WHERE session_id IS NOT NULL;

-- A turn that works on a task; what becomes of the one becomes of the other.
ALTER TABLE turn ADD COLUMN task_id TEXT;
