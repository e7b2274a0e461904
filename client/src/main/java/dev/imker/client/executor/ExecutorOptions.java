package dev.imker.client.executor;

import dev.imker.model.job.Requirements.Need;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How an executor treats its calls.
 *
 * @param name of its jobs, as lists show it
 * @param retries how often a call that threw is tried again; a call whose machine was lost always
 *     is
 * @param chunk calls per task; 0 leaves it to the executor, which measures how long they take
 * @param maxRuntime of one call; zero means no limit but the pool's
 * @param memoryMegabytes heap that the calls share on a machine; 0 means the usual
 * @param network whether calls need the network; on machines that keep tasks in a sandbox they have
 *     none otherwise
 * @param jars code that calls need besides what can be found by looking at them
 * @param files that calls find in {@link dev.imker.tasks.TaskContext#folder()}, by their paths
 *     there
 * @param needs what each task takes of its machine while it runs; one core by default
 */
public record ExecutorOptions(
    String name,
    String project,
    int priority,
    int retries,
    int chunk,
    Duration maxRuntime,
    int memoryMegabytes,
    boolean network,
    List<Path> jars,
    Map<String, Path> files,
    Need needs) {
  private static final int USUAL_PRIORITY = 4;

  public static final ExecutorOptions USUAL =
      new ExecutorOptions(
          "java",
          "default",
          USUAL_PRIORITY,
          0,
          0,
          Duration.ZERO,
          0,
          false,
          List.of(),
          Map.of(),
          Need.NOTHING);

  public ExecutorOptions {
    jars = List.copyOf(jars);
    files = Map.copyOf(files);
    if (retries < 0 || chunk < 0 || memoryMegabytes < 0 || maxRuntime.isNegative()) {
      throw new IllegalArgumentException("options of an executor are not negative");
    }
  }

  public ExecutorOptions withName(String value) {
    return with(draft -> draft.name = value);
  }

  public ExecutorOptions withProject(String value) {
    return with(draft -> draft.project = value);
  }

  public ExecutorOptions withPriority(int value) {
    return with(draft -> draft.priority = value);
  }

  public ExecutorOptions withRetries(int value) {
    return with(draft -> draft.retries = value);
  }

  public ExecutorOptions withChunk(int value) {
    return with(draft -> draft.chunk = value);
  }

  public ExecutorOptions withMaxRuntime(Duration value) {
    return with(draft -> draft.maxRuntime = value);
  }

  public ExecutorOptions withMemoryMegabytes(int value) {
    return with(draft -> draft.memoryMegabytes = value);
  }

  public ExecutorOptions withJars(List<Path> value) {
    return with(draft -> draft.jars = value);
  }

  public ExecutorOptions withNetwork(boolean value) {
    return with(draft -> draft.network = value);
  }

  public ExecutorOptions withFiles(Map<String, Path> value) {
    return with(draft -> draft.files = value);
  }

  /** Processor cores of each task, in steps of 0.01. */
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

  public ExecutorOptions withNeeds(Need value) {
    return with(draft -> draft.needs = value);
  }

  private ExecutorOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settled();
  }

  /** Options while one of them changes. */
  private static final class Draft {
    private String name;
    private String project;
    private int priority;
    private int retries;
    private int chunk;
    private Duration maxRuntime;
    private int memoryMegabytes;
    private boolean network;
    private List<Path> jars;
    private Map<String, Path> files;
    private Need needs;

    Draft(ExecutorOptions from) {
      name = from.name;
      project = from.project;
      priority = from.priority;
      retries = from.retries;
      chunk = from.chunk;
      maxRuntime = from.maxRuntime;
      memoryMegabytes = from.memoryMegabytes;
      network = from.network;
      jars = from.jars;
      files = from.files;
      needs = from.needs;
    }

    ExecutorOptions settled() {
      return new ExecutorOptions(
          name,
          project,
          priority,
          retries,
          chunk,
          maxRuntime,
          memoryMegabytes,
          network,
          jars,
          files,
          needs);
    }
  }
}
