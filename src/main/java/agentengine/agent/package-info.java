/** Agents and schemas: definitions and their validation. */
@NullMarked
package agentengine.agent;

import org.jspecify.annotations.NullMarked;
