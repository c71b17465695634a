package agentengine.http;

import agentengine.json.Fields;
import java.util.List;

/** What a person says to a confirmation; what is not clearly an approval never runs the tool. */
record GateAnswer(String callId, boolean approved, String reason) {
  private static final int MAX_CALL_ID = 100;
  private static final int MAX_ANSWER = 10_000;
  private static final String REJECT = "reject:";

  static GateAnswer read(Fields fields) {
    String callId = fields.requiredString("call_id", MAX_CALL_ID);
    List<String> answers = fields.strings("answers", 1, MAX_ANSWER);
    String answer = answers.isEmpty() ? "" : answers.getFirst();
    boolean approved = answer.equals("approve");
    if (!approved && !answer.startsWith(REJECT)) {
      fields.reject("answers", "must hold one answer: 'approve', or 'reject:' and a reason");
    }
    fields.finish();
    return new GateAnswer(
        callId, approved, approved ? "" : answer.substring(REJECT.length()).strip());
  }
}
