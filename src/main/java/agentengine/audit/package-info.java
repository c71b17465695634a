/** The ledger of tool calls, which is the audit log, and the log of administrative acts. */
@NullMarked
package agentengine.audit;

import org.jspecify.annotations.NullMarked;
