/** Every failure that a caller may see: one exception, one enum of codes. */
@NullMarked
package agentengine.error;

import org.jspecify.annotations.NullMarked;
