/** Model records, the provider kinds and the one streaming call. */
@NullMarked
package agentengine.model;

import org.jspecify.annotations.NullMarked;
