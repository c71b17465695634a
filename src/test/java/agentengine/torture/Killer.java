package agentengine.torture;

import java.time.Duration;
import java.util.Random;

/** Kills the engine at drawn instants, and starts it again each time. */
final class Killer {
  private static final int MAX_LIFE_MILLIS = 1_500;
  private static final int SHORT_LIFE_MILLIS = 120;
  private static final int MAX_START_MILLIS = 1_800;
  private static final int BATCH = 10;

  private final EngineLife life;
  private final Moments moments;
  private final Findings findings;
  private final Random random;

  Killer(EngineLife life, Moments moments, Findings findings, Random random) {
    this.life = life;
    this.moments = moments;
    this.findings = findings;
    this.random = random;
  }

  /** Kills an engine that is ready; returns when, after the last kill, one is there to stay. */
  void kill(int times) throws InterruptedException {
    for (int kill = 1; kill <= times; kill++) {
      if (!life.isReady() && random.nextInt(10) == 0) {
        // Perhaps in the middle of taking up what the one before left.
        Moments.pass(random.nextInt(MAX_START_MILLIS));
        findings.count(Count.KILLS_BEFORE_READY);
      } else {
        life.awaitOwnReadiness();
        awaitInstant();
      }
      life.kill();
      if (kill % BATCH == 0) {
        tell();
      }
      life.begin();
    }
    life.awaitOwnReadiness();
    life.calm();
  }

  private void awaitInstant() throws InterruptedException {
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> Moments.pass(random.nextInt(MAX_LIFE_MILLIS));
      case 4, 5 -> Moments.pass(random.nextInt(SHORT_LIFE_MILLIS));
      default -> {
        // At once after something happened, or a few milliseconds later.
        Moment moment = Pick.oneOf(Moment.values(), random);
        moments.await(moment, Duration.ofMillis(MAX_LIFE_MILLIS));
        if (random.nextBoolean()) {
          Moments.pass(random.nextInt(15));
        }
      }
    }
  }

  private void tell() {
    System.out.printf(
        "%d kills, %d messages accepted, %d turns ended, %d gates answered, %d violations%n",
        findings.counted(Count.KILLS),
        findings.counted(Count.MESSAGES_ACCEPTED),
        findings.counted(Count.TURNS_DONE) + findings.counted(Count.TURNS_FAILED),
        findings.counted(Count.GATES_ANSWERED),
        findings.violations().size());
  }
}
