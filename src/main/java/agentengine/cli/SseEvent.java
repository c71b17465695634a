package agentengine.cli;

import org.jspecify.annotations.Nullable;

/** One server-sent event. */
record SseEvent(String name, String data, @Nullable String id) {}
