package agentengine.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads a process's CPU time and memory from Linux's /proc; NaN where there is none. */
public final class ProcFs {

  /** USER_HZ, the unit of /proc/pid/stat: 100 on every Linux of today, whatever the kernel's HZ. */
  private static final double TICKS_PER_SECOND = 100;

  /** user, nice, system, irq, softirq, steal */
  private static final int[] BUSY_FIELDS = {1, 2, 3, 6, 7, 8};

  private static final int USER_TIME_AFTER_NAME = 11;

  private ProcFs() {}

  /** User and system time of the process so far, all its threads. */
  public static double cpuSeconds(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name before it is in brackets and may hold spaces.
      List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
      long userTicks = Long.parseLong(fields.get(USER_TIME_AFTER_NAME));
      long systemTicks = Long.parseLong(fields.get(USER_TIME_AFTER_NAME + 1));
      return (userTicks + systemTicks) / TICKS_PER_SECOND;
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** All that the machine's cores did so far, idling and waiting for disks left out. */
  static double machineCpuSeconds() {
    try {
      String total = Files.readAllLines(Path.of("/proc/stat")).getFirst();
      List<String> fields = List.of(total.split("\\s+", -1));
      long busyTicks = 0;
      for (int field : BUSY_FIELDS) {
        busyTicks += Long.parseLong(fields.get(field));
      }
      return busyTicks / TICKS_PER_SECOND;
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Resident memory of the process in MB of 1,000,000 bytes. */
  public static double rssMegabytes(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith("VmRSS:")) {
          String kibibytes = line.substring(6).replace("kB", "").trim();
          return Long.parseLong(kibibytes) * 1024 / 1e6;
        }
      }
      return Double.NaN;
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
