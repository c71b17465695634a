/** The life of a turn: accepting, the loop, its events and its recovery. */
@NullMarked
package agentengine.turn;

import org.jspecify.annotations.NullMarked;
