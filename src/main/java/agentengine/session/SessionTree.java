package agentengine.session;

import java.util.List;

/** A session with its messages, and the conversations of its sub-agents below it. */
public record SessionTree(Session session, List<Message> messages, List<SessionTree> children) {}
