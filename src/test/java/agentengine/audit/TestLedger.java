package agentengine.audit;

import agentengine.db.Database;
import agentengine.secret.MasterKey;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/** A ledger whose calls a test writes as the engine would. */
public final class TestLedger {
  public static final MasterKey KEY = key(1);
  public static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123Z");

  private final Database database;
  final ToolLedger ledger;

  public TestLedger(Database database, MasterKey key) {
    this.database = database;
    this.ledger = new ToolLedger(new AuditChain(database, key));
  }

  /** Keys that can be told apart. */
  public static MasterKey key(int first) {
    byte[] key = new byte[32];
    key[0] = (byte) first;
    return MasterKey.ofBase64(Base64.getEncoder().encodeToString(key));
  }

  /** A call like any other; {@link CallBuilder} makes it special. */
  public static CallBuilder call(String id) {
    return new CallBuilder(id);
  }

  /** Starts a call and ends it, as two transactions. */
  public void complete(ToolLedger.Call call) {
    run(call, ToolLedger.Status.COMPLETED, "{\"found\":\"ü\"}");
  }

  public void fail(ToolLedger.Call call) {
    run(call, ToolLedger.Status.FAILED, "\"no answer\"");
  }

  private void run(ToolLedger.Call call, ToolLedger.Status status, String output) {
    write(handle -> ledger.begin(handle, call));
    end(call, status, output);
  }

  void end(ToolLedger.Call call, ToolLedger.Status status, String output) {
    ToolLedger.Ending ending = new ToolLedger.Ending(call, status, output, 42);
    write(handle -> ledger.end(handle, ending));
  }

  /** A call that a person is asked about. */
  public void await(ToolLedger.Call call) {
    write(handle -> ledger.await(handle, call, "hash-of-" + call.callId()));
  }

  void approve(ToolLedger.Call call) {
    decide(call);
    write(handle -> ledger.beginApproved(handle, call.callId()));
  }

  boolean decide(ToolLedger.Call call) {
    ToolLedger.Decision approval =
        new ToolLedger.Decision(ToolLedger.Verdict.APPROVE, "go on", "alice");
    return database.<Boolean>write(handle -> ledger.decide(handle, call.callId(), approval));
  }

  boolean isDecided(ToolLedger.Call call) {
    return database.<Boolean>read(
        handle -> ledger.find(handle, call.callId()).orElseThrow().decision() != null);
  }

  /** A call that somebody approved and that then ran. */
  public void completeApproved(ToolLedger.Call call) {
    await(call);
    approve(call);
    end(call, ToolLedger.Status.COMPLETED, "{}");
  }

  void write(Consumer<Handle> work) {
    database.write(
        handle -> {
          work.accept(handle);
          return true;
        });
  }

  /** A call in the making. */
  public static final class CallBuilder {
    private final String id;
    private String session = "s1";
    private String agent = "assistant";
    private String path = "assistant";
    private String tool = "search";
    private String user = "alice";
    private Instant createdAt = NOON;

    private CallBuilder(String id) {
      this.id = id;
    }

    public CallBuilder session(String value) {
      session = value;
      return this;
    }

    /** The agents from the root down; the last one makes the call. */
    public CallBuilder path(String value) {
      path = value;
      agent = value.substring(value.lastIndexOf('/') + 1);
      return this;
    }

    public CallBuilder tool(String value) {
      tool = value;
      return this;
    }

    public CallBuilder user(String value) {
      user = value;
      return this;
    }

    public CallBuilder at(String instant) {
      createdAt = Instant.parse(instant);
      return this;
    }

    public ToolLedger.Call build() {
      return new ToolLedger.Call(
          id, session, path, agent, tool, user, "{\"query\":\"" + id + "\"}", createdAt);
    }
  }
}
