/** The command line: the commands that talk to a running engine or to its store. */
@NullMarked
package agentengine.cli;

import org.jspecify.annotations.NullMarked;
