/** The HTTP server, the route table, JSON shapes, the SSE writer, errors as responses. */
@NullMarked
package agentengine.http;

import org.jspecify.annotations.NullMarked;
