package agentengine.torture;

import agentengine.config.Variable;
import agentengine.simulator.Simulator;
import agentengine.testing.TestDatabases;
import agentengine.testing.process.EngineHttp;
import agentengine.testing.process.EngineProcess;
import agentengine.testing.process.ToolServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.logging.LogManager;

/** Kills the engine again and again while clients chat, and judges what they went through. */
public final class Torture {
  /** Longer than the engine lets its last turns take. */
  private static final Duration CLIENTS_PATIENCE = Duration.ofMinutes(5);

  private static final int TASK_GIVERS = 2;

  private final TortureOptions options;
  private final Findings findings = new Findings();
  private final Moments moments = new Moments();

  private Torture(TortureOptions options) {
    this.options = options;
  }

  /** Exit code 0: every promise was kept; 1: some were not; 2: bad options. */
  public static void main(String[] args) throws InterruptedException, IOException {
    if (List.of(args).contains("--help")) {
      System.out.print(TortureOptions.USAGE);
      return;
    }
    TortureOptions options;
    try {
      options = TortureOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("torture: " + e.getMessage());
      System.err.print(TortureOptions.USAGE);
      System.exit(2);
      return;
    }
    LogManager.getLogManager().reset(); // what the libraries of this process have to say
    System.exit(new Torture(options).run() ? 0 : 1);
  }

  private boolean run() throws InterruptedException, IOException {
    System.out.printf(
        "%d kills, %d clients, %s, seed %d%n",
        options.kills(), options.clients(), options.database(), options.seed());
    try (TestDatabases.Fresh database = TestDatabases.fresh(options.database());
        Simulator simulator = Simulator.start(0);
        ToolServer tools = ToolServer.start(this::toolMoment)) {
      EngineProcess.Launch launch =
          EngineProcess.Launch.in(database.dataDirectory())
              .withConfiguration(Agent.configuration(simulator.baseUrl(), tools.baseUrl()))
              .with(Variable.LOCAL_SESSION_TTL, "7d");
      if (database instanceof TestDatabases.Postgres postgres) {
        launch = launch.with(Variable.DATABASE_URL, postgres.url());
      }
      int port = Ports.free(new Random(options.seed()));
      launch = launch.with(Variable.PORT, Integer.toString(port));
      try (EngineLife life = new EngineLife(launch, findings)) {
        torture(life, port, tools);
      }
      auditVerifies(launch);
    } catch (AssertionError e) {
      findings.violation("the run broke off: " + e.getMessage());
    }
    Report.print(findings);
    return findings.violations().isEmpty();
  }

  private void toolMoment(ToolServer.Moment moment) {
    switch (moment) {
      case ARRIVED -> moments.now(Moment.TOOL_ARRIVED);
      case ANSWERED -> moments.now(Moment.TOOL_ANSWERED);
      case BROKEN_OFF -> findings.count(Count.TOOL_ANSWERS_BROKEN_OFF);
    }
  }

  private void torture(EngineLife life, int port, ToolServer tools)
      throws InterruptedException, IOException {
    life.begin();
    life.awaitOwnReadiness();
    EngineHttp http = EngineHttp.signIn(port);
    Stage stage = new Stage(http, life, moments, findings);
    List<Chatter> chatters = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= options.clients(); i++) {
      Chatter chatter = new Chatter(stage, "c" + i, new Random(options.seed() + i));
      chatters.add(chatter);
      threads.add(Thread.ofVirtual().name("client-" + i).start(chatter));
    }
    List<TaskGiver> givers = new ArrayList<>();
    for (int i = 1; i <= TASK_GIVERS; i++) {
      TaskGiver giver = new TaskGiver(stage, "t" + i, new Random(options.seed() - i));
      givers.add(giver);
      threads.add(Thread.ofVirtual().name("task-giver-" + i).start(giver));
    }
    new Killer(life, moments, findings, new Random(options.seed())).kill(options.kills());
    long deadline = System.nanoTime() + CLIENTS_PATIENCE.toNanos();
    for (Thread thread : threads) {
      if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
        thread.interrupt();
        thread.join();
      }
    }
    judge(http, tools, chatters);
    givers.forEach(giver -> giver.judge(tools));
    EngineProcess.End end = life.terminate();
    findings.expect(end.status() == 0, "the last engine ended with " + end);
  }

  private void judge(EngineHttp http, ToolServer tools, List<Chatter> chatters) throws IOException {
    List<Conversation> conversations =
        chatters.stream().flatMap(chatter -> chatter.conversations().stream()).toList();
    SessionCheck sessions = new SessionCheck(http, tools, findings);
    for (Conversation conversation : conversations) {
      sessions.check(conversation);
    }
    new AuditCheck(http, findings)
        .check(conversations.stream().flatMap(c -> c.turns().stream()).toList());
  }

  private void auditVerifies(EngineProcess.Launch launch) {
    EngineProcess.End end = launch.command("audit", "verify").run();
    findings.expect(end.status() == 0, "audit verify says " + end);
    end.out().forEach(line -> System.out.println("audit verify: " + line));
  }
}
