/**
 * The API as its description promises it, part by part and row by row, seen by a client that knows
 * nothing else: raw JSON over HTTP.
 */
@NullMarked
package agentengine.contract;

import org.jspecify.annotations.NullMarked;
