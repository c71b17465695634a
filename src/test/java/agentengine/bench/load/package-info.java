/** The load client: many streams on one thread, so that its own cost stays out of the figures. */
@NullMarked
package agentengine.bench.load;

import org.jspecify.annotations.NullMarked;
