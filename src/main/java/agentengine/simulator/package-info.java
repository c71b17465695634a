/** A scripted model behind an OpenAI-compatible endpoint: the offline default, demos and tests. */
@NullMarked
package agentengine.simulator;

import org.jspecify.annotations.NullMarked;
