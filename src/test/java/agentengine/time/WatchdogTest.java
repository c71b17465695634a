package agentengine.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchdogTest {
  private static final Duration SOON = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofHours(1);

  private final Watchdog watchdog = new Watchdog();

  @AfterEach
  void close() {
    watchdog.close();
  }

  @Test
  void aReadThatBlocksForTooLongIsEnded() throws Exception {
    Watchdog.@Nullable Ending ending =
        onVirtualThread(
            () -> {
              try (Watchdog.Watch watch = watchdog.watch(SOON)) {
                assertThatThrownBy(WatchdogTest::readWhatNeverComes)
                    .isInstanceOf(IOException.class);
                return watch.ending();
              }
            });

    assertThat(ending).isEqualTo(Watchdog.Ending.EXPIRED);
  }

  @Test
  void anybodyMayEndItBeforeItsTime() throws Exception {
    AtomicReference<Watchdog.Watch> opened = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    FutureTask<Watchdog.@Nullable Ending> work =
        new FutureTask<>(
            () -> {
              try (Watchdog.Watch watch = watchdog.watch(LONG)) {
                opened.set(watch);
                begun.countDown();
                assertThatThrownBy(WatchdogTest::readWhatNeverComes)
                    .isInstanceOf(IOException.class);
                return watch.ending();
              }
            });
    Thread.ofVirtual().start(work);
    begun.await();

    opened.get().stop();

    assertThat(work.get()).isEqualTo(Watchdog.Ending.STOPPED);
  }

  @Test
  void workThatIsInTimeIsLeftAlone() throws Exception {
    Watchdog.@Nullable Ending ending =
        onVirtualThread(
            () -> {
              Watchdog.Watch watch = watchdog.watch(LONG);
              watch.close();
              return watch.ending();
            });

    assertThat(ending).isNull();
  }

  @Test
  void aDeadlineCanBeMoved() throws Exception {
    boolean ended =
        onVirtualThread(
            () -> {
              try (Watchdog.Watch watch = watchdog.watch(LONG)) {
                watch.extend(SOON);
                assertThatThrownBy(WatchdogTest::readWhatNeverComes)
                    .isInstanceOf(IOException.class);
                return watch.ending() == Watchdog.Ending.EXPIRED;
              }
            });

    assertThat(ended).isTrue();
  }

  @Test
  void theInterruptOfOnePieceOfWorkDoesNotReachTheNext() throws Exception {
    boolean interrupted =
        onVirtualThread(
            () -> {
              try (Watchdog.Watch watch = watchdog.watch(LONG)) {
                // Ended while it does not block: the interrupt is still pending at the end.
                watch.stop();
              }
              return Thread.currentThread().isInterrupted();
            });

    assertThat(interrupted).isFalse();
  }

  @Test
  void closedWorkCanNoLongerBeEnded() throws Exception {
    boolean interrupted =
        onVirtualThread(
            () -> {
              Watchdog.Watch watch = watchdog.watch(LONG);
              watch.close();
              watch.stop();
              assertThat(watch.ending()).isNull();
              return Thread.currentThread().isInterrupted();
            });

    assertThat(interrupted).isFalse();
  }

  @Test
  void anInterruptOfSomebodyElseIsKept() throws Exception {
    boolean interrupted =
        onVirtualThread(
            () -> {
              try (Watchdog.Watch _ = watchdog.watch(LONG)) {
                Thread.currentThread().interrupt();
              }
              return Thread.currentThread().isInterrupted();
            });

    assertThat(interrupted).isTrue();
  }

  @Test
  void workIsEndedForOneReasonOnly() throws Exception {
    Watchdog.@Nullable Ending ending =
        onVirtualThread(
            () -> {
              try (Watchdog.Watch watch = watchdog.watch(SOON)) {
                assertThatThrownBy(WatchdogTest::readWhatNeverComes)
                    .isInstanceOf(IOException.class);
                watch.stop();
                return watch.ending();
              }
            });

    assertThat(ending).isEqualTo(Watchdog.Ending.EXPIRED);
  }

  private static <T extends @Nullable Object> T onVirtualThread(Callable<T> work)
      throws InterruptedException, ExecutionException {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task.get();
  }

  private static void readWhatNeverComes() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, here);
        Socket client = new Socket(here, server.getLocalPort());
        InputStream input = client.getInputStream()) {
      int ignored = input.read();
      throw new AssertionError("nobody sent " + ignored);
    }
  }
}
