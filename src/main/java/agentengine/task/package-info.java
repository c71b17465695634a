/** Tasks: work that an agent does without anybody watching. */
@NullMarked
package agentengine.task;

import org.jspecify.annotations.NullMarked;
