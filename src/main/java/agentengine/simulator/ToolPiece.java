package agentengine.simulator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Part of a tool call; the first part has the name, and the id unless the script took it away. */
record ToolPiece(
    @Nullable String index, @Nullable String id, @Nullable String name, String arguments) {

  /** The call as a whole, or its id and name first and then the arguments bit by bit. */
  static List<ToolPiece> of(Cue.ToolCall call, int position, String arguments) {
    String index = call.index().or(String.valueOf(position));
    String id = call.id().or(Answer.randomId("call_"));
    if (call.pieces() == 1) {
      return List.of(new ToolPiece(index, id, call.name(), arguments));
    }
    List<ToolPiece> pieces = new ArrayList<>();
    pieces.add(new ToolPiece(index, id, call.name(), ""));
    for (String part : Text.pieces(arguments, call.pieces() - 1)) {
      pieces.add(new ToolPiece(index, null, null, part));
    }
    return List.copyOf(pieces);
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object();
    if (index != null) {
      json.put("index", Integer.parseInt(index));
    }
    if (id != null) {
      json.put("id", id);
    }
    if (name != null) {
      json.put("type", "function");
    }
    ObjectNode function = json.putObject("function");
    if (name != null) {
      function.put("name", name);
    }
    function.put("arguments", arguments);
    return json;
  }
}
