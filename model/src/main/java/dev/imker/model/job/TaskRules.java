package dev.imker.model.job;

import java.util.List;
import java.util.function.Consumer;

/**
 * Rules for executing the tasks of a stage.
 *
 * @param maxFailures number of failed attempts after which a task is held back
 * @param maxRuntimeMillis of one attempt; 0 means no limit
 * @param backoffMillis pause before the second attempt, doubled before each further one; 0 means
 *     none
 * @param speculative whether running tasks may be copied near the end of the job
 * @param quorum number of equal results from different nodes until one counts; 1 means the first
 *     counts, {@link #ADAPTIVE} requests a second one depending on the record of the first one's
 *     node
 * @param pin the only node (id or name) that may run these tasks; empty means any
 * @param trust level an agent must have; 0 means none
 * @param network whether the tasks need the network
 * @param checkpoints files (globs) that are saved while a task runs and placed in the work folder
 *     of the next attempt
 * @param checkpointMillis how often they are saved; 0 means never
 * @param stdin what the task reads from its standard input
 * @param folder name of the work folder; empty means one chosen by the agent
 * @param gang whether all tasks of the stage must start together
 * @param atMost tasks of the stage that may run at the same time; 0 means any number
 * @param maxMemoryBytes that one task may use; 0 means no limit
 * @param startMillis when tasks may begin, in milliseconds since 1970; 0 means at once
 * @param publish name under which the results are published when all tasks of the stage are done;
 *     empty means not at all
 */
public record TaskRules(
    int maxFailures,
    long maxRuntimeMillis,
    long backoffMillis,
    boolean speculative,
    int quorum,
    String pin,
    int trust,
    boolean network,
    List<String> checkpoints,
    long checkpointMillis,
    String stdin,
    String folder,
    boolean gang,
    int atMost,
    long maxMemoryBytes,
    long startMillis,
    String publish) {
  public static final int DEFAULT_MAX_FAILURES = 5;

  /** The quorum that depends on the node of the first result. */
  public static final int ADAPTIVE = 0;

  public static final long DEFAULT_MAX_RUNTIME_MILLIS = 24L * 60 * 60 * 1000;
  private static final long DEFAULT_CHECKPOINT_MILLIS = 30L * 60 * 1000;

  public static final TaskRules USUAL =
      new TaskRules(
          DEFAULT_MAX_FAILURES,
          DEFAULT_MAX_RUNTIME_MILLIS,
          0,
          true,
          1,
          "",
          0,
          false,
          List.of(),
          0,
          "",
          "",
          false,
          0,
          0,
          0,
          "");

  /** Tasks that may start immediately. */
  public TaskRules(
      int maxFailures,
      long maxRuntimeMillis,
      long backoffMillis,
      boolean speculative,
      int quorum,
      String pin,
      int trust,
      boolean network,
      List<String> checkpoints,
      long checkpointMillis,
      String stdin,
      String folder,
      boolean gang,
      int atMost,
      long maxMemoryBytes) {
    this(
        maxFailures,
        maxRuntimeMillis,
        backoffMillis,
        speculative,
        quorum,
        pin,
        trust,
        network,
        checkpoints,
        checkpointMillis,
        stdin,
        folder,
        gang,
        atMost,
        maxMemoryBytes,
        0,
        "");
  }

  public TaskRules {
    checkpoints = List.copyOf(checkpoints);
  }

  /**
   * Copies of a task with checkpoints would interfere with each other; all others may be copied.
   */
  public static boolean defaultSpeculative(List<?> checkpoints) {
    return checkpoints.isEmpty();
  }

  public static long defaultCheckpointMillis(List<?> checkpoints) {
    return checkpoints.isEmpty() ? 0 : DEFAULT_CHECKPOINT_MILLIS;
  }

  /** Rules being changed. */
  public static final class Draft {
    public int maxFailures;
    public long maxRuntimeMillis;
    public long backoffMillis;
    public boolean speculative;
    public int quorum;
    public String pin;
    public int trust;
    public boolean network;
    public List<String> checkpoints;
    public long checkpointMillis;
    public String stdin;
    public String folder;
    public boolean gang;
    public int atMost;
    public long maxMemoryBytes;
    public long startMillis;
    public String publish;

    private Draft(TaskRules from) {
      maxFailures = from.maxFailures;
      maxRuntimeMillis = from.maxRuntimeMillis;
      backoffMillis = from.backoffMillis;
      speculative = from.speculative;
      quorum = from.quorum;
      pin = from.pin;
      trust = from.trust;
      network = from.network;
      checkpoints = from.checkpoints;
      checkpointMillis = from.checkpointMillis;
      stdin = from.stdin;
      folder = from.folder;
      gang = from.gang;
      atMost = from.atMost;
      maxMemoryBytes = from.maxMemoryBytes;
      startMillis = from.startMillis;
      publish = from.publish;
    }

    private TaskRules rules() {
      return new TaskRules(
          maxFailures,
          maxRuntimeMillis,
          backoffMillis,
          speculative,
          quorum,
          pin,
          trust,
          network,
          checkpoints,
          checkpointMillis,
          stdin,
          folder,
          gang,
          atMost,
          maxMemoryBytes,
          startMillis,
          publish);
    }
  }

  /** The same with some changes. */
  public TaskRules with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.rules();
  }

  public TaskRules withLimits(int failures, long runtimeMillis) {
    return with(
        draft -> {
          draft.maxFailures = failures;
          draft.maxRuntimeMillis = runtimeMillis;
        });
  }

  public TaskRules withSpeculative(boolean value) {
    return with(draft -> draft.speculative = value);
  }

  public TaskRules withBackoff(long value) {
    return with(draft -> draft.backoffMillis = value);
  }

  public TaskRules withQuorum(int value) {
    return with(draft -> draft.quorum = value);
  }

  public TaskRules withPin(String value) {
    return with(draft -> draft.pin = value);
  }

  public TaskRules withTrust(int value) {
    return with(draft -> draft.trust = value);
  }
}
