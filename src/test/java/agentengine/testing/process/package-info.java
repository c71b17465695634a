/** The engine as a process of its own, its client and its tools' server, for whoever kills it. */
@NullMarked
package agentengine.testing.process;

import org.jspecify.annotations.NullMarked;
