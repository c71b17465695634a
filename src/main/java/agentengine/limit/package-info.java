/** Rate limits: rules, windows and their counts, what is left to whom. */
@NullMarked
package agentengine.limit;

import org.jspecify.annotations.NullMarked;
