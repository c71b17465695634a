/** The commands, run as a user runs them: in this process, with streams of the test's own. */
@NullMarked
package agentengine.cli;

import org.jspecify.annotations.NullMarked;
