/** What the packages may use, proven on the compiled program. */
@NullMarked
package agentengine.architecture;

import org.jspecify.annotations.NullMarked;
