/** Spans of turns, model calls and tool calls, for whoever collects them. */
@NullMarked
package agentengine.trace;

import org.jspecify.annotations.NullMarked;
