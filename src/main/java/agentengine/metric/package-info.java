/** Meters that are cheap to use and whose number is bounded. */
@NullMarked
package agentengine.metric;

import org.jspecify.annotations.NullMarked;
