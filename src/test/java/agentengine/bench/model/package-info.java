/** A fake OpenAI-compatible model that is cheap enough to share a small machine with the engine. */
@NullMarked
package agentengine.bench.model;

import org.jspecify.annotations.NullMarked;
