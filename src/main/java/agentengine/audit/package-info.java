/** The log of administrative acts. */
@NullMarked
package agentengine.audit;

import org.jspecify.annotations.NullMarked;
