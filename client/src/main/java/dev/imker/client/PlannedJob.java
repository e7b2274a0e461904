package dev.imker.client;

import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.JobHandle;
import dev.imker.client.internal.plan.PlanRun;
import dev.imker.client.internal.plan.PlannedStages;
import dev.imker.client.internal.pool.LocalJob;
import dev.imker.client.internal.shipping.ActionSource;
import dev.imker.client.plan.FailureStrategy;
import dev.imker.client.plan.NamedValue;
import dev.imker.client.plan.NoPlanException;
import dev.imker.client.plan.Wanted;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.actions.ActionPlan;
import dev.imker.planner.actions.PlanRequest;
import dev.imker.planner.actions.Relation;
import dev.imker.planner.actions.Value;
import dev.imker.tasks.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A job described by known facts and wanted results. The planner finds the tasks and their order;
 * the pool runs what can run in parallel.
 *
 * <pre>{@code
 * Suggestions suggestions =
 *     imker.planned("suggest")
 *         .with(FacebookFriends.class, MergeFriends.class, …)
 *         .has(new UserId("ada"))
 *         .wants(Suggestions.class)
 *         .submit()
 *         .get()
 *         .get(Suggestions.class);
 * }</pre>
 */
public final class PlannedJob {
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(60);

  private final PlanRun runner;
  private final String name;
  private final ActionSource actions = new ActionSource();
  private final PlanRequest request = new PlanRequest();
  private final Map<String, Object> given = new LinkedHashMap<>();
  private FailureStrategy strategy = FailureStrategy.abort();
  private Duration patience = USUAL_PATIENCE;
  private ExecutorOptions options = ExecutorOptions.USUAL;

  PlannedJob(PlanRun runner, String name) {
    this.runner = runner;
    this.name = name;
  }

  public static NamedValue value(String type, String name, Object content) {
    return new NamedValue(type, name, content);
  }

  public static Relation relation(String name, String... terms) {
    return Relation.relation(name, terms);
  }

  /** Actions that the plan may use. */
  @SafeVarargs
  public final PlannedJob with(Class<? extends Task>... tasks) {
    for (Class<? extends Task> task : tasks) {
      actions.add(task);
    }
    return this;
  }

  /** Actions that the plan may use. */
  public PlannedJob with(Collection<Class<? extends Task>> tasks) {
    tasks.forEach(actions::add);
    return this;
  }

  /** All actions of a jar. */
  public PlannedJob with(Path jar) {
    actions.add(jar);
    return this;
  }

  /**
   * All actions of a task library that was uploaded ({@code imker libraries upload}).
   *
   * @param name of the library, for its newest version, or {@code name:version}
   * @throws dev.imker.model.ImkerException if the pool has none
   */
  public PlannedJob withLibrary(String name) {
    return with(runner.library(name));
  }

  /**
   * An initial value, identified by its type and all its supertypes.
   *
   * @throws IllegalArgumentException if there already is one of that type
   */
  public PlannedJob has(Object value) {
    if (value instanceof NamedValue named) {
      return has(named);
    }
    ActionSource.supertypes(value.getClass()).forEach(request::has);
    give(value.getClass().getName(), value);
    actions.needs(value.getClass());
    return this;
  }

  /** An initial value, identified by its name. */
  public PlannedJob has(NamedValue value) {
    request.has(Value.value(value.type(), value.name()));
    give(value.name(), value.content());
    actions.needs(value.content().getClass());
    return this;
  }

  private void give(String key, Object value) {
    if (given.putIfAbsent(key, value) != null) {
      throw new IllegalArgumentException(
          "The job already has %s. Several values of one type need names: has(value(type, name, content))."
              .formatted(key));
    }
  }

  /** A fact that holds initially. */
  public PlannedJob has(Relation relation) {
    request.has(relation);
    return this;
  }

  public PlannedJob wants(Class<?> type) {
    request.wants(type.getName());
    return this;
  }

  public PlannedJob wants(Relation relation) {
    request.wants(relation);
    return this;
  }

  public PlannedJob onFailure(FailureStrategy value) {
    strategy = value;
    return this;
  }

  /** Its tasks need the network; otherwise they have none on machines with a sandbox. */
  public PlannedJob withNetwork() {
    options = options.withNetwork(true);
    return this;
  }

  /** The heap that its tasks share on a machine; 512 MB by default. */
  public PlannedJob withMemoryMegabytes(int value) {
    if (value <= 0) {
      throw new IllegalArgumentException("a heap of " + value + " MB");
    }
    options = options.withMemoryMegabytes(value);
    return this;
  }

  /** Cores per task, in steps of 0.01; one by default. */
  public PlannedJob withCores(double value) {
    options = options.withCores(value);
    return this;
  }

  /** Memory reserved for each of its tasks. */
  public PlannedJob withMemory(long bytes) {
    options = options.withMemory(bytes);
    return this;
  }

  /** GPUs per task: a whole number, or a fraction of one. */
  public PlannedJob withGpus(double value) {
    options = options.withGpus(value);
    return this;
  }

  /** Amount of a declared resource for each of its tasks. */
  public PlannedJob withResource(String resource, double amount) {
    options = options.withResource(resource, amount);
    return this;
  }

  /**
   * Project, priority, limit, needs, machine, heap and network of its tasks; replaces earlier
   * settings. Retries are set by {@link #onFailure}.
   */
  public PlannedJob withOptions(ExecutorOptions value) {
    options = value;
    return this;
  }

  /** How long the planner may search for a plan. */
  public PlannedJob planWithin(Duration value) {
    patience = value;
    return this;
  }

  /**
   * The plan, without running it.
   *
   * @throws NoPlanException if there is none
   */
  public ActionPlan plan() {
    ActionPlan plan = actions.planner().plan(request, PlanLimits.of(patience));
    if (plan.result().status() == PlanStatus.SOLVED) {
      return plan;
    }
    PlanResult result = plan.result();
    if (result.status() == PlanStatus.TIMEOUT) {
      throw new NoPlanException(
          "No plan was found within %d ms.".formatted(patience.toMillis()), List.of(), List.of());
    }
    throw new NoPlanException(
        "No sequence of the %d actions leads from the known facts to the goal%s."
            .formatted(
                actions.library().actions().size(),
                result.why().isEmpty() ? "" : ": " + result.why()),
        result.unreachable(),
        result.missing());
  }

  /**
   * Plans and submits the job; returns immediately.
   *
   * @return completes with the values, or with a {@code JobFailedException}
   * @throws NoPlanException if there is no plan
   */
  public CompletableFuture<Wanted> submit() {
    PlanDag dag = plan().dag();
    return dag.actions().isEmpty() // all that is wanted is there
        ? CompletableFuture.completedFuture(new Wanted(given))
        : runner.run(stages(dag));
  }

  /**
   * Plans and submits a job that outlives this program. Submitting it again under the same key,
   * from this program or a later run, returns the same job; {@link Imker#attachPlanned} finds it by
   * its key.
   *
   * @param key unique among the jobs of the user
   * @throws NoPlanException if there is no plan
   * @throws dev.imker.model.ImkerException if another job has the key
   */
  public JobHandle<Wanted> submit(String key) {
    PlanDag dag = plan().dag();
    if (dag.actions().isEmpty()) {
      return new LocalJob<>(key, CompletableFuture.completedFuture(new Wanted(given)), List.of());
    }
    return runner.run(stages(dag), key);
  }

  private PlannedStages stages(PlanDag dag) {
    Map<String, Object> inOrder = Collections.unmodifiableMap(new LinkedHashMap<>(given));
    return new PlannedStages(dag, actions, inOrder, strategy, options.withName(name));
  }
}
