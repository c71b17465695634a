/** Boot options, runtime settings and the configuration document. */
@NullMarked
package agentengine.config;

import org.jspecify.annotations.NullMarked;
