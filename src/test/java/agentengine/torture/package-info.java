/**
 * The torture behind {@code ./engine torture}: clients that keep chatting with an engine that is
 * killed again and again, and a judge who counts what was lost, done twice or told twice.
 */
@NullMarked
package agentengine.torture;

import org.jspecify.annotations.NullMarked;
