/** The one strict JSON mapper and the reader that turns an outside object into checked values. */
@NullMarked
package agentengine.json;

import org.jspecify.annotations.NullMarked;
