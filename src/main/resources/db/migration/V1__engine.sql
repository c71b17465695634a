-- One text for both databases. Instants are milliseconds since 1970 in UTC; ids are texts that sort by time.

-- Proves at start that the master key is the one the secrets were sealed with.
CREATE TABLE master_key_check (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  sealed TEXT NOT NULL
);

-- The key pair of local mode; the private half is sealed under the master key.
CREATE TABLE signing_key (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  public_key  TEXT NOT NULL,
  private_key TEXT NOT NULL,
  created_at  BIGINT NOT NULL
);

CREATE TABLE api_token (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL,
  hash         TEXT NOT NULL UNIQUE,
  scopes       TEXT NOT NULL,
  created_at   BIGINT NOT NULL,
  expires_at   BIGINT,
  last_used_at BIGINT,
  revoked_at   BIGINT
);

-- Administrative acts.
CREATE TABLE admin_event (
  id         ${identity},
  actor      TEXT NOT NULL,
  action     TEXT NOT NULL,
  target     TEXT NOT NULL,
  details    TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE model (
  id         ${identity},
  name       TEXT NOT NULL UNIQUE,
  type       TEXT NOT NULL,
  model_name TEXT NOT NULL,
  base_url   TEXT,
  api_key    TEXT, -- sealed
  created_at BIGINT NOT NULL
);

CREATE TABLE agent (
  name       TEXT PRIMARY KEY,
  definition TEXT NOT NULL, -- JSON with the API's field names
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE chat_schema (
  name         TEXT PRIMARY KEY,
  description  TEXT NOT NULL,
  entry_agent  TEXT NOT NULL,
  agents       TEXT NOT NULL, -- JSON array of names
  chat_enabled BOOLEAN NOT NULL,
  created_at   BIGINT NOT NULL
);

-- Rises with every change to models, agents and schemas.
CREATE TABLE definition_changes (
  counted BIGINT NOT NULL
);
INSERT INTO definition_changes (counted) VALUES (0);

CREATE TABLE settings (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  document TEXT NOT NULL
);

-- Which configuration document was applied last, so that a start applies only a changed one.
CREATE TABLE applied_configuration (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  fingerprint TEXT NOT NULL,
  applied_at  BIGINT NOT NULL
);

-- A running process that may own turns; its turns are taken over when it stops renewing this.
CREATE TABLE node (
  id         TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

CREATE TABLE session (
  id            TEXT PRIMARY KEY,
  schema_name   TEXT NOT NULL,
  agent         TEXT NOT NULL,
  owner         TEXT NOT NULL,
  status        TEXT NOT NULL, -- idle, running, waiting
  turn_count    INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  created_at    BIGINT NOT NULL
) ${clustered};
CREATE INDEX session_by_owner ON session (owner, id); -- ids sort by time

CREATE TABLE message (
  session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL, -- 1, 2, 3, ... within the session
  id         TEXT NOT NULL,
  turn       INTEGER NOT NULL,
  role       TEXT NOT NULL, -- user, assistant, tool
  agent      TEXT NOT NULL,
  content    TEXT NOT NULL,
  tool_calls TEXT, -- JSON array
  call_id    TEXT,
  tokens     INTEGER,
  size       INTEGER NOT NULL, -- its estimated tokens, for trimming a history
  created_at BIGINT NOT NULL,
  PRIMARY KEY (session_id, position)
) ${clustered};

CREATE TABLE turn (
  session_id    TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  number        INTEGER NOT NULL, -- 1, 2, 3, ... within the session
  agent         TEXT NOT NULL,
  node          TEXT NOT NULL,
  attempt       INTEGER NOT NULL, -- rises when the turn is taken over; a write carries its own
  status        TEXT NOT NULL, -- running, completed, failed, cancelled
  steps         INTEGER NOT NULL,
  tokens        INTEGER NOT NULL,
  cancelled_at  BIGINT, -- when somebody asked for its end
  created_at    BIGINT NOT NULL,
  finished_at   BIGINT,
  PRIMARY KEY (session_id, number)
) ${clustered};
CREATE INDEX turn_open ON turn (node) WHERE status = 'running';

-- The durable events of a session's last turn, for clients that re-attach.
CREATE TABLE turn_event (
  session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  turn       INTEGER NOT NULL,
  attempt    INTEGER NOT NULL,
  n          INTEGER NOT NULL,
  type       TEXT NOT NULL,
  data       TEXT NOT NULL,
  PRIMARY KEY (session_id, turn, attempt, n)
) ${clustered};
