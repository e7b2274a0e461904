package dev.imker.core.profile;

import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import dev.imker.model.job.Requirements;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts and run times of a project's tasks. The counts begin anew when tasks are added to a
 * project that is all settled, so that work of last month does not weigh against today's.
 */
public final class ProjectProfile {
  private static final TaskState[] STATES = TaskState.values();
  private static final int MAX_PROGRAMS = 16;

  /** How much the latest task counts in what tasks take. */
  private static final double FRESH = 0.1;

  private final ProjectId project;
  private final int index;
  private final int[] counts = new int[STATES.length];
  private int copies;
  private long hundredthsBeyond;
  private double coresBeyond;
  private double coresPerTask = 1;
  private final RecentAverage runs = new RecentAverage();
  private final MemoryPeaks peaks = new MemoryPeaks();

  /** The same of single programs, the one that ended last at the end. */
  private final LinkedHashMap<String, MemoryPeaks> peaksByProgram = new LinkedHashMap<>();

  ProjectProfile(ProjectId project, int index) {
    this.project = project;
    this.index = index;
  }

  public ProjectId project() {
    return project;
  }

  /** Position among all projects of the pool; dense, in the order of their definition. */
  public int index() {
    return index;
  }

  public int count(TaskState state) {
    return counts[state.ordinal()];
  }

  public int total() {
    int total = 0;
    for (int count : counts) {
      total += count;
    }
    return total;
  }

  public int done() {
    return counts[TaskState.DONE.ordinal()];
  }

  public int ready() {
    return counts[TaskState.READY.ordinal()];
  }

  /** Number of its tasks that are being worked on (nrWORKING). */
  public int working() {
    return counts[TaskState.RUNNING.ordinal()];
  }

  /**
   * What those count for in cores: as many as there are where each has one and no GPU. Fairness
   * goes by this.
   */
  public double load() {
    return working() + coresBeyond;
  }

  /** What a task counts for in cores, by those that began lately; 1 at first. */
  public double coresPerTask() {
    return coresPerTask;
  }

  /** Attempts beyond the first that work on the same tasks at the same time. */
  public int copies() {
    return copies;
  }

  /** Tasks the scheduler still has to bring to an end. */
  public int open() {
    int open = 0;
    for (TaskState state : STATES) {
      open += state.isSettled() ? 0 : counts[state.ordinal()];
    }
    return open;
  }

  /** relDONE: share of its tasks that are done; 0 while it has none. */
  public double doneShare() {
    int total = total();
    return total == 0 ? 0 : (double) done() / total;
  }

  /** avT: minutes of successful runs, on whichever node; 0 while unknown. */
  public double runMinutes() {
    return runs.value();
  }

  /** The same in milliseconds. */
  public double runMillis() {
    return runs.value() * PoolTime.MILLIS_PER_MINUTE;
  }

  /**
   * How far single runs are from that, as a standard deviation; half of it while only one ended.
   */
  public double runDeviationMillis() {
    return runs.deviation() * PoolTime.MILLIS_PER_MINUTE;
  }

  public boolean isRunTimeKnown() {
    return !runs.isEmpty();
  }

  /**
   * Bytes of memory that 95 of 100 tasks got by with that ran the same; of all tasks of the project
   * while none of those has ended, and 0 while nothing is known of them either.
   */
  public long memoryEstimate(String program) {
    return peaksByProgram.getOrDefault(program, peaks).estimate();
  }

  /** A task took so much memory, or more. */
  public void onMemoryPeak(String program, long bytes) {
    if (bytes > 0) {
      peaks.add(bytes);
      if (!program.isEmpty()) {
        ofProgram(program).add(bytes);
      }
    }
  }

  private MemoryPeaks ofProgram(String program) {
    MemoryPeaks known = peaksByProgram.get(program);
    if (known == null) {
      known = new MemoryPeaks();
      if (peaksByProgram.size() >= MAX_PROGRAMS) {
        peaksByProgram.pollFirstEntry();
      }
    }
    peaksByProgram.putLast(program, known);
    return known;
  }

  /** avTI: class of the run time, −1 for the shortest to 1 for the longest. */
  public double runTimeClass() {
    return runTimeClass(runs.value());
  }

  static double runTimeClass(double minutes) {
    if (minutes < 15) {
      return -1;
    }
    if (minutes < 60) {
      return -2.0 / 3;
    }
    if (minutes < 180) {
      return -1.0 / 3;
    }
    if (minutes < 480) {
      return 0;
    }
    if (minutes < 960) {
      return 1.0 / 3;
    }
    return minutes < 2160 ? 2.0 / 3 : 1;
  }

  /** A task that is being worked on counts for so many hundredths of cores more, or less. */
  public void onWeighed(long more) {
    hundredthsBeyond += more;
    coresBeyond = (double) hundredthsBeyond / Requirements.HUNDREDTHS;
  }

  /** An attempt began that counts for so many hundredths of cores. */
  public void onBegun(long weight) {
    coresPerTask += FRESH * ((double) weight / Requirements.HUNDREDTHS - coresPerTask);
  }

  void onAdded(TaskState state, int count) {
    if (open() == 0) {
      Arrays.fill(counts, 0);
    }
    counts[state.ordinal()] += count;
  }

  void onMoved(TaskState from, TaskState to, int count) {
    // Tasks of a settled job that was forgotten by onAdded may be released again.
    counts[from.ordinal()] = Math.max(0, counts[from.ordinal()] - count);
    counts[to.ordinal()] += count;
  }

  void onCopies(int change) {
    copies += change;
  }

  void onSucceeded(double minutes) {
    runs.add(minutes);
  }

  ProjectSnapshot snapshot() {
    Map<String, long[]> byProgram = new LinkedHashMap<>();
    peaksByProgram.forEach((program, its) -> byProgram.put(program, its.values()));
    return new ProjectSnapshot(project, runs.values(), peaks.values(), byProgram, coresPerTask);
  }

  void restore(ProjectSnapshot snapshot) {
    runs.restore(snapshot.runMinutes());
    coresPerTask = snapshot.coresPerTask();
    peaks.restore(snapshot.memoryPeaks());
    snapshot.memoryPeaksByProgram().forEach((program, its) -> ofProgram(program).restore(its));
  }
}
