/** Who calls and what they may do: JWT, API tokens, scopes, the local session. */
@NullMarked
package agentengine.auth;

import org.jspecify.annotations.NullMarked;
