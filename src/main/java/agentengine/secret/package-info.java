/** What must not leak: the secret type, encryption at rest. */
@NullMarked
package agentengine.secret;

import org.jspecify.annotations.NullMarked;
