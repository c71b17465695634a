-- What an entry of the configuration document took from the environment, as it was written there, so that an
-- export says so again for as long as the value is still the one that was taken.
CREATE TABLE document_reference (
  part    TEXT NOT NULL, -- models, agents, ...
  name    TEXT NOT NULL,
  place   TEXT NOT NULL, -- a JSON pointer into the entry, with * for the items of a list
  mark    TEXT NOT NULL, -- of the value, under the master key: it may be a secret
  written TEXT NOT NULL, -- a JSON string
  PRIMARY KEY (part, name, place, mark)
);
