package agentengine.config;

import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * A stored definition in the form of the document.
 *
 * @param fields all its fields but the name and the secrets, in the order of an export
 * @param defaults the values that need not be written, by field
 * @param secrets by field; an export shows one only if it is a reference to the environment
 */
record Entry(ObjectNode fields, ObjectNode defaults, Map<String, Secret> secrets) {
  Entry(ObjectNode fields, ObjectNode defaults) {
    this(fields, defaults, Map.of());
  }
}
