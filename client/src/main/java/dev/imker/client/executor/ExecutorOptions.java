package dev.imker.client.executor;

import dev.imker.model.job.Requirements.Need;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Options for the calls of an executor. Start with {@link #USUAL}; every {@code with} method
 * returns changed options.
 */
public final class ExecutorOptions implements Cloneable {
  private static final int USUAL_PRIORITY = 4;
  private static final int MAX_DOUBLINGS = 20;

  public static final ExecutorOptions USUAL = new ExecutorOptions();

  private String name = "java";
  private String project = "default";
  private int priority = USUAL_PRIORITY;
  private int retries;
  private Duration backoff = Duration.ZERO;
  private List<Class<? extends Throwable>> retriedOn = List.of();
  private int chunk;
  private Duration maxRuntime = Duration.ZERO;
  private int memoryMegabytes;
  private boolean network;
  private List<Path> jars = List.of();
  private Map<String, Path> files = Map.of();
  private Need needs = Need.NOTHING;
  private String node = "";

  private ExecutorOptions() {}

  private ExecutorOptions with(Consumer<ExecutorOptions> change) {
    try {
      ExecutorOptions changed = (ExecutorOptions) clone();
      change.accept(changed);
      return changed;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  private static int notNegative(String what, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(what + " of an executor cannot be " + value);
    }
    return value;
  }

  private static Duration notNegative(String what, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(what + " of an executor cannot be " + value);
    }
    return value;
  }

  /** The name of its jobs in lists. */
  public ExecutorOptions withName(String value) {
    return with(changed -> changed.name = value);
  }

  public ExecutorOptions withProject(String value) {
    return with(changed -> changed.project = value);
  }

  public ExecutorOptions withPriority(int value) {
    return with(changed -> changed.priority = value);
  }

  /** How often a call that threw is retried; a call whose machine was lost is always repeated. */
  public ExecutorOptions withRetries(int value) {
    return with(changed -> changed.retries = notNegative("retries", value));
  }

  /**
   * How often a call that threw is retried.
   *
   * @param pause before the first retry, doubled before each further one
   * @param only only after exceptions of these classes; after any exception if empty
   */
  @SafeVarargs
  public final ExecutorOptions withRetries(
      int value, Duration pause, Class<? extends Throwable>... only) {
    List<Class<? extends Throwable>> types = new ArrayList<>();
    for (Class<? extends Throwable> type : only) {
      types.add(type);
    }
    return withRetries(value)
        .with(
            changed -> {
              changed.backoff = notNegative("the pause", pause);
              changed.retriedOn = List.copyOf(types);
            });
  }

  /** Calls per task; with 0 the executor decides, based on measured durations. */
  public ExecutorOptions withChunk(int value) {
    return with(changed -> changed.chunk = notNegative("the chunk", value));
  }

  /** The time limit of one call; zero means only the pool's limit. */
  public ExecutorOptions withMaxRuntime(Duration value) {
    return with(changed -> changed.maxRuntime = notNegative("the limit", value));
  }

  /** The heap that calls share on a machine, which must have that much memory; 0: the default. */
  public ExecutorOptions withMemoryMegabytes(int value) {
    return with(changed -> changed.memoryMegabytes = notNegative("the heap", value));
  }

  /** Additional code of calls that cannot be found by analysing them. */
  public ExecutorOptions withJars(List<Path> value) {
    return with(changed -> changed.jars = List.copyOf(value));
  }

  /** Whether calls need the network; otherwise they have none on machines with a sandbox. */
  public ExecutorOptions withNetwork(boolean value) {
    return with(changed -> changed.network = value);
  }

  /**
   * Files and complete folders that calls find in {@link dev.imker.tasks.TaskContext#folder()}, by
   * their paths there; {@code .} is that folder itself.
   */
  public ExecutorOptions withFiles(Map<String, Path> value) {
    return with(changed -> changed.files = Map.copyOf(value));
  }

  /** Processor cores of each task, in steps of 0.01; one by default. */
  public ExecutorOptions withCores(double value) {
    return withNeeds(needs.withCores(value));
  }

  /** Memory of each task, which includes more than the heap of {@link #withMemoryMegabytes}. */
  public ExecutorOptions withMemory(long bytes) {
    return withNeeds(needs.withMemory(bytes));
  }

  /** GPUs of each task: whole ones, or a fraction of one. */
  public ExecutorOptions withGpus(double value) {
    return withNeeds(needs.withGpus(value));
  }

  /** An amount of a resource declared by machines or the pool. */
  public ExecutorOptions withResource(String resource, double amount) {
    return withNeeds(needs.withResource(resource, amount));
  }

  /** Only machines with this label, in addition to earlier ones. */
  public ExecutorOptions withLabel(String label) {
    return withNeeds(needs.withLabel(label));
  }

  /** Only the machine with this name or id; any machine if empty. */
  public ExecutorOptions withNode(String value) {
    return with(changed -> changed.node = value);
  }

  /** The resources of its machine that each task reserves. */
  public ExecutorOptions withNeeds(Need value) {
    return with(changed -> changed.needs = value);
  }

  public String name() {
    return name;
  }

  public String project() {
    return project;
  }

  public int priority() {
    return priority;
  }

  public int retries() {
    return retries;
  }

  public Duration backoff() {
    return backoff;
  }

  public List<Class<? extends Throwable>> retriedOn() {
    return retriedOn;
  }

  public int chunk() {
    return chunk;
  }

  public Duration maxRuntime() {
    return maxRuntime;
  }

  public int memoryMegabytes() {
    return memoryMegabytes;
  }

  public boolean network() {
    return network;
  }

  public List<Path> jars() {
    return jars;
  }

  public Map<String, Path> files() {
    return files;
  }

  public Need needs() {
    return needs;
  }

  public String node() {
    return node;
  }

  /** Whether a call that threw this exception at the given attempt, starting with 1, is retried. */
  public boolean isRetried(Throwable thrown, int attempt) {
    return attempt <= retries
        && (retriedOn.isEmpty() || retriedOn.stream().anyMatch(type -> type.isInstance(thrown)));
  }

  /** The pause after the given number of attempts; constant after the twentieth. */
  public Duration pauseAfter(int attempts) {
    return backoff.multipliedBy(1L << Math.clamp(attempts - 1L, 0, MAX_DOUBLINGS));
  }
}
