/** One line an event, as text or JSON, with the request's id and without anybody's data. */
@NullMarked
package agentengine.log;

import org.jspecify.annotations.NullMarked;
