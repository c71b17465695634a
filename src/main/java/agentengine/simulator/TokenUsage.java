package agentengine.simulator;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** How many tokens an answer says it has cost. */
record TokenUsage(int prompt, int completion) {

  ObjectNode toJson() {
    return Json.object()
        .put("prompt_tokens", prompt)
        .put("completion_tokens", completion)
        .put("total_tokens", prompt + completion);
  }
}
