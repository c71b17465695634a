package agentengine.audit;

import agentengine.json.Json;
import agentengine.secret.MasterKey;
import agentengine.secret.Sha256;
import com.fasterxml.jackson.databind.node.ArrayNode;

/** The marks of the audit log, which nobody without the master key can make. */
final class AuditMarks {
  private static final String ROW_PURPOSE = "audit.row";
  private static final String HEAD_PURPOSE = "audit.head";

  private final MasterKey key;

  AuditMarks(MasterKey key) {
    this.key = key;
  }

  /** The hash of the row of that number after the one with that hash. */
  String hash(long number, String hashBefore, String digest) {
    return key.mark(number + " " + hashBefore + " " + digest, ROW_PURPOSE);
  }

  /** The seal of a head. */
  String seal(long number, String hash) {
    return key.mark(number + " " + hash, HEAD_PURPOSE);
  }

  /** The digest of what was done; made outside of the transaction, as it may be long. */
  static String digest(ToolCallRecord call) {
    ArrayNode content = Json.array();
    content.add(call.callId()).add(call.sessionId()).add(call.path()).add(call.agent());
    content.add(call.tool()).add(call.userId()).add(call.input()).add(call.output());
    content.add(call.status()).add(call.durationMs()).add(call.createdAt().toEpochMilli());
    return Sha256.hex(Json.write(content));
  }

  /** The digest of a whole row, what a person decided about it included. */
  static String digest(String callDigest, Gate gate) {
    ArrayNode content = Json.array().add(callDigest);
    content.add(gate.inputHash()).add(gate.decision()).add(gate.reason()).add(gate.decidedBy());
    return Sha256.hex(Json.write(content));
  }
}
