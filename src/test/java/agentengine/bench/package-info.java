/**
 * The benchmark behind {@code ./engine bench}: the engine beside a client straight at the model.
 */
@NullMarked
package agentengine.bench;

import org.jspecify.annotations.NullMarked;
