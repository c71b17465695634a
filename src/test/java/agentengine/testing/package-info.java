/** What several tests share: above all the API document as a judge of the server's answers. */
@NullMarked
package agentengine.testing;

import org.jspecify.annotations.NullMarked;
