package agentengine.turn;

import agentengine.json.Json;
import agentengine.model.ToolDefinition;
import agentengine.tool.ArgumentRules;
import agentengine.tool.Effect;
import agentengine.tool.Tool;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Asks the owner of a task something; the call waits for the words, which are its output. */
final class AskUserTool implements Tool {
  static final String NAME = "ask_user";

  private static final ToolDefinition DEFINITION =
      new ToolDefinition(
          NAME,
          "Asks the person who gave the task a question and returns the answer.",
          Json.parseObject(
              """
              {"type": "object",
               "properties": {"question": {"type": "string", "minLength": 1, "maxLength": 10000}},
               "required": ["question"], "additionalProperties": false}
              """));
  private static final ArgumentRules RULES = new ArgumentRules(DEFINITION.parameters());

  @Override
  public ToolDefinition definition() {
    return DEFINITION;
  }

  @Override
  public Effect effect() {
    return Effect.READ_ONLY;
  }

  /** A question is a gate that opens with words. */
  @Override
  public boolean confirmBefore() {
    return true;
  }

  @Override
  public @Nullable String problem(ObjectNode arguments) {
    return RULES.problem(arguments);
  }

  @Override
  public JsonNode run(String callId, ObjectNode arguments) {
    throw new IllegalStateException("a question is answered, not run");
  }
}
