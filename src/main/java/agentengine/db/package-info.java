/** The store: two databases behind one class, group commit, migrations, ids, node leases. */
@NullMarked
package agentengine.db;

import org.jspecify.annotations.NullMarked;
