/** The program: its command line and the composition of everything. */
@NullMarked
package agentengine;

import org.jspecify.annotations.NullMarked;
