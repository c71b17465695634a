package agentengine.torture;

import agentengine.testing.process.EngineHttp;

/** What a client plays on: the engine's address and lives, and where it notes what it saw. */
record Stage(EngineHttp http, EngineLife life, Moments moments, Findings findings) {}
