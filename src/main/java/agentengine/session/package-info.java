/** Sessions and their messages; building a history that any provider accepts. */
@NullMarked
package agentengine.session;

import org.jspecify.annotations.NullMarked;
