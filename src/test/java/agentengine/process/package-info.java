/** The engine as a process of its own: how it starts, is refused, is stopped and is killed. */
@NullMarked
package agentengine.process;

import org.jspecify.annotations.NullMarked;
