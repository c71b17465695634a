package agentengine.bench.load;

import java.util.ArrayList;
import java.util.List;

/**
 * CPU seconds used, of some processes and of the machine as a whole; NaN where unknown.
 *
 * @param processes in the order in which they were asked for
 */
public record CpuTimes(List<Double> processes, double machine) {

  static final CpuTimes NONE = new CpuTimes(List.of(), 0);

  static CpuTimes read(List<Long> pids) {
    return new CpuTimes(pids.stream().map(ProcFs::cpuSeconds).toList(), ProcFs.machineCpuSeconds());
  }

  CpuTimes since(CpuTimes earlier) {
    List<Double> used = new ArrayList<>();
    for (int i = 0; i < processes.size(); i++) {
      used.add(processes.get(i) - earlier.processes.get(i));
    }
    return new CpuTimes(used, machine - earlier.machine);
  }

  /** What was used by none of these processes: others, and the kernel for all. */
  public double elsewhere() {
    return machine - processes.stream().mapToDouble(Double::doubleValue).sum();
  }
}
