package dev.imker.store.simulated;

import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.change.StrategyRemembered;
import dev.imker.store.PoolStore;
import dev.imker.store.RecoverySink;
import dev.imker.store.StoreException;
import dev.imker.store.internal.live.Told;
import dev.imker.store.internal.live.Touched;
import dev.imker.store.internal.rows.TaskKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated server knows of a pool led by another one: a copy of rows, of which those named
 * by the log of turns are copied again.
 */
final class SimFollowed implements PoolStore.Followed {
  /** Tells of one job. */
  @FunctionalInterface
  interface OneJob {
    boolean tell(SimTables tables, JobId job, RecoverySink recovery);
  }

  private static final String LIMITS = "tasks.limits.";

  private final Supplier<SimTables> disk;
  private final BiConsumer<SimTables, RecoverySink> all;
  private final OneJob one;
  private @Nullable SimTables image;
  private SimTables.@Nullable Turn last;

  SimFollowed(Supplier<SimTables> disk, BiConsumer<SimTables, RecoverySink> all, OneJob one) {
    this.disk = disk;
    this.all = all;
    this.one = one;
  }

  @Override
  public OptionalLong catchUp() {
    SimTables tables = disk.get();
    SimTables known = image;
    if (known == null) {
      readAfresh(tables);
      return OptionalLong.of(0);
    }
    OptionalLong turns = goOn(known, tables);
    if (turns.isEmpty()) {
      readAfresh(tables);
      return OptionalLong.of(0);
    }
    return turns;
  }

  /**
   * @throws AssertionError if what was followed is not what is on disk
   */
  @Override
  public boolean catchUpWith(long epoch) {
    SimTables tables = disk.get();
    SimTables known = image;
    if (known == null || tables.epoch != epoch || goOn(known, tables).isEmpty()) {
      return false;
    }
    List<String> differences = differences(known, tables);
    if (!differences.isEmpty()) {
      throw new AssertionError("followed otherwise than is on disk: " + differences);
    }
    return true;
  }

  /** Empty if the log does not say all that came since. */
  private OptionalLong goOn(SimTables known, SimTables tables) {
    SimTables.Turn before = last;
    if (before == null) {
      return OptionalLong.empty();
    }
    int from = -1;
    for (int i = 0; i < tables.log.size(); i++) {
      SimTables.Turn turn = tables.log.get(i);
      if (turn.at().equals(before.at()) && turn.mark() == before.mark()) {
        from = i;
      }
    }
    if (from < 0) {
      return OptionalLong.empty();
    }
    List<SimTables.Turn> news = tables.log.subList(from + 1, tables.log.size());
    PoolStore.Position at = before.at();
    for (SimTables.Turn turn : news) {
      if (!turn.follows(at)) {
        return OptionalLong.empty();
      }
      at = turn.at();
    }
    if (!at.equals(tables.position())) {
      return OptionalLong.empty();
    }
    news.forEach(turn -> turn.touched().tell(new Copying(tables, known)));
    known.incarnations.putAll(tables.incarnations);
    last = tables.log.getLast();
    return OptionalLong.of(news.size());
  }

  private void readAfresh(SimTables tables) {
    SimTables fresh = new SimTables();
    tables.jobs.forEach((id, job) -> fresh.jobs.put(id, job.copy()));
    tables.tasks.forEach(
        (job, tasks) -> {
          TreeMap<Integer, SimTask> copies = new TreeMap<>();
          tasks.forEach((index, task) -> copies.put(index, task.copy()));
          fresh.tasks.put(job, copies);
        });
    fresh.nodeProfiles.putAll(tables.nodeProfiles);
    fresh.projectProfiles.putAll(tables.projectProfiles);
    fresh.memories.putAll(tables.memories);
    fresh.settings.putAll(tables.settings);
    fresh.incarnations.putAll(tables.incarnations);
    image = fresh;
    last = tables.log.isEmpty() ? null : tables.log.getLast();
  }

  private record Copying(SimTables from, SimTables to) implements Touched.Rows {
    @Override
    public void job(long id) {
      SimTables.Job job = from.jobs.get(id);
      if (job == null) {
        to.jobs.remove(id);
      } else {
        to.jobs.put(id, job.copy());
      }
      to.put(LIMITS + id, from.settings.getOrDefault(LIMITS + id, ""));
    }

    @Override
    public void tasks(long first, long last) {
      TaskId task = TaskKey.task(first);
      TreeMap<Integer, SimTask> copies =
          to.tasks.computeIfAbsent(task.job().value(), _ -> new TreeMap<>());
      int end = TaskKey.index(last);
      copies.subMap(task.index(), true, end, true).clear();
      from.tasksOf(task.job())
          .subMap(task.index(), true, end, true)
          .forEach((index, row) -> copies.put(index, row.copy()));
    }

    @Override
    public void node(NodeId node) {
      String profile = from.nodeProfiles.get(node);
      if (profile != null) {
        to.nodeProfiles.put(node, profile);
      }
    }

    @Override
    public void project(ProjectId project) {
      String profile = from.projectProfiles.get(project);
      if (profile != null) {
        to.projectProfiles.put(project, profile);
      }
    }

    @Override
    public void memory(String strategy, String subject) {
      String key = strategy + " " + subject;
      StrategyRemembered memory = from.memories.get(key);
      if (memory != null) {
        to.memories.put(key, memory);
      }
    }
  }

  private SimTables image() {
    SimTables known = image;
    if (known == null) {
      throw new StoreException("The pool was not read yet; try again.");
    }
    return known;
  }

  @Override
  public Optional<PoolStore.Position> position() {
    SimTables.Turn turn = last;
    return turn == null || image == null ? Optional.empty() : Optional.of(turn.at());
  }

  @Override
  public void load(RecoverySink recovery) {
    all.accept(image(), recovery);
  }

  @Override
  public boolean load(JobId job, RecoverySink recovery) {
    return one.tell(image(), job, recovery);
  }

  @Override
  public String taskLimits(JobId job) {
    return image().settings.getOrDefault(LIMITS + job, "");
  }

  @Override
  public PoolStore.Checked check() {
    var _ = catchUp();
    SimTables known = image();
    SimTables tables = disk.get();
    return new PoolStore.Checked(
        position().orElse(new PoolStore.Position(0, 0)),
        known.jobs.size(),
        known.jobs.values().stream().mapToLong(job -> job.added.taskCount()).sum(),
        differences(known, tables));
  }

  private List<String> differences(SimTables known, SimTables tables) {
    Told own = new Told();
    Told written = new Told();
    all.accept(known, own);
    all.accept(tables, written);
    return own.differences(written).stream().map(Told.Subject::name).toList();
  }

  @Override
  public PoolStore.Ended ended() {
    return PoolStore.Ended.NONE;
  }

  @Override
  public boolean awaitTurn(long millis) {
    return false;
  }

  @Override
  public void forget() {
    image = null;
  }

  @Override
  public void close() {
    forget();
  }
}
