/** Tools: what they are, those built in, and those declared as HTTP calls. */
@NullMarked
package agentengine.tool;

import org.jspecify.annotations.NullMarked;
