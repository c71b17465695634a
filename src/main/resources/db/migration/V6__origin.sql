-- JSON: which model wrote a message, what it used and cost, and what it wants to see again; null when no model did.
ALTER TABLE message ADD COLUMN origin TEXT;

-- Like the turn's tokens: at its end with those of its sub-agents.
ALTER TABLE turn ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN cost BIGINT; -- billionths of a USD; null when it is not known
ALTER TABLE turn ADD COLUMN overridden BOOLEAN NOT NULL DEFAULT FALSE; -- its model and key came with its request: nobody can take it up
