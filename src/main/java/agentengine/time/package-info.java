/** Durations as people write them, and the watchdog that ends blocking work on time. */
@NullMarked
package agentengine.time;

import org.jspecify.annotations.NullMarked;
