package dev.imker.client.executor;

import dev.imker.model.job.Requirements.Need;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How an executor treats its calls. {@link #USUAL} with changes: every {@code with} method gives
 * options of their own.
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

  /** The name of its jobs, as lists show it. */
  public ExecutorOptions withName(String value) {
    return with(changed -> changed.name = value);
  }

  public ExecutorOptions withProject(String value) {
    return with(changed -> changed.project = value);
  }

  public ExecutorOptions withPriority(int value) {
    return with(changed -> changed.priority = value);
  }

  /** How often a call that threw is tried again; one whose machine was lost always is. */
  public ExecutorOptions withRetries(int value) {
    return with(changed -> changed.retries = notNegative("retries", value));
  }

  /**
   * How often a call that threw is tried again.
   *
   * @param pause before the first further attempt, doubled before each other one
   * @param only after exceptions of these classes; after any if there are none
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

  /** Calls per task; 0 leaves it to the executor, which measures how long they take. */
  public ExecutorOptions withChunk(int value) {
    return with(changed -> changed.chunk = notNegative("the chunk", value));
  }

  /** The limit of one call; zero means none but the pool's. */
  public ExecutorOptions withMaxRuntime(Duration value) {
    return with(changed -> changed.maxRuntime = notNegative("the limit", value));
  }

  /** The heap that calls share on a machine, which has to have that much memory; 0: the usual. */
  public ExecutorOptions withMemoryMegabytes(int value) {
    return with(changed -> changed.memoryMegabytes = notNegative("the heap", value));
  }

  /** Code that calls need besides what can be found by looking at them. */
  public ExecutorOptions withJars(List<Path> value) {
    return with(changed -> changed.jars = List.copyOf(value));
  }

  /** Whether calls need the network; on machines with a sandbox they have none otherwise. */
  public ExecutorOptions withNetwork(boolean value) {
    return with(changed -> changed.network = value);
  }

  /**
   * Files, and folders with all that is in them, that calls find in {@link
   * dev.imker.tasks.TaskContext#folder()}, by their paths there; a folder named {@code .} is that
   * folder itself.
   */
  public ExecutorOptions withFiles(Map<String, Path> value) {
    return with(changed -> changed.files = Map.copyOf(value));
  }

  /** Processor cores of each task, in steps of 0.01; one if nothing is said. */
  public ExecutorOptions withCores(double value) {
    return withNeeds(needs.withCores(value));
  }

  /** Memory of each task, which is more than the heap of {@link #withMemoryMegabytes}. */
  public ExecutorOptions withMemory(long bytes) {
    return withNeeds(needs.withMemory(bytes));
  }

  /** GPUs of each task: whole ones, or a part of one. */
  public ExecutorOptions withGpus(double value) {
    return withNeeds(needs.withGpus(value));
  }

  /** An amount of something that machines or the pool have declared. */
  public ExecutorOptions withResource(String resource, double amount) {
    return withNeeds(needs.withResource(resource, amount));
  }

  /** Only machines with this label, besides those asked for before. */
  public ExecutorOptions withLabel(String label) {
    return withNeeds(needs.withLabel(label));
  }

  /** Only the machine of this name or id; any if it is empty. */
  public ExecutorOptions withNode(String value) {
    return with(changed -> changed.node = value);
  }

  /** What each task takes of its machine while it runs. */
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

  /** Whether a call that threw this at an attempt, the first being 1, is tried again. */
  public boolean isRetried(Throwable thrown, int attempt) {
    return attempt <= retries
        && (retriedOn.isEmpty() || retriedOn.stream().anyMatch(type -> type.isInstance(thrown)));
  }

  /** The pause after so many attempts; none after the first twenty is longer than the last. */
  public Duration pauseAfter(int attempts) {
    return backoff.multipliedBy(1L << Math.clamp(attempts - 1L, 0, MAX_DOUBLINGS));
  }
}
