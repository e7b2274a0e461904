package dev.imker.store.internal.write;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobPhased;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.NodeAvailable;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.NodeSeen;
import dev.imker.model.change.ProjectProfiled;
import dev.imker.model.change.RecordChange;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.change.StrategyRemembered;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TaskImported;
import dev.imker.model.change.TasksChanged;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.JsonColumns;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.SettingTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Turns changes into rows, inside the transaction of its connection. Changes of one kind are
 * executed together, which leaves the order of changes of different tasks open: what is written
 * does not depend on it. When a task occurs a second time, everything before is executed first.
 */
public final class ChangeWriter {
  private static final String SEE_AGENT =
      """
      UPDATE agent SET node = :node, title = :title, version = :version, platform = :platform, slots = :slots, connected = :connected,
        seen_at = :seen_at
      WHERE id = :id
      """;
  private static final String PUT_NODE_PROFILE =
      """
      INSERT INTO node_profile (node, profile) VALUES (:node, :profile)
      ON CONFLICT (node) DO UPDATE SET profile = excluded.profile
      """;
  private static final String PUT_PROJECT_PROFILE =
      """
      INSERT INTO project_profile (project, profile) VALUES (:project, :profile)
      ON CONFLICT (project) DO UPDATE SET profile = excluded.profile
      """;

  private static final String PUT_MEMORY =
      """
      INSERT INTO strategy_memory (strategy, subject, memory) VALUES (:strategy, :subject, :memory)
      ON CONFLICT (strategy, subject) DO UPDATE SET memory = excluded.memory
      """;
  private static final String ADD_AVAILABILITY =
      "INSERT INTO availability (node, at, what) VALUES (:node, :at, :what)";

  /** Arrivals and departures older than this are deleted from time to time. */
  private static final long AVAILABILITY_KEPT_MILLIS = 180L * 24 * 3600 * 1000;

  private static final int AVAILABILITY_PER_CLEANING = 1000;

  private final Connection connection;
  private final Names names;
  private final JobWriter jobs;
  private final TaskWriter tasks;
  private final BlobLedger blobs;
  private final UsageLedger usage;
  private final RecordWriter records;
  private final Set<TaskId> pendingTasks = new HashSet<>();
  private int availabilityWritten;

  public ChangeWriter(Connection connection, Dialect dialect, Names names) throws SQLException {
    this.connection = connection;
    this.names = names;
    this.jobs = new JobWriter(connection, names);
    this.tasks = new TaskWriter(connection, dialect, names);
    this.blobs = new BlobLedger(connection, names);
    this.usage = new UsageLedger(connection, names, blobs);
    this.records = new RecordWriter(connection, names, usage, blobs);
  }

  public void write(List<Change> changes) throws SQLException {
    for (Change change : changes) {
      switch (change) {
        case JobAdded job -> {
          jobs.add(job);
          usage.added(job);
        }
        case JobChanged job -> jobs.change(job);
        case JobPhased job -> jobs.phase(job);
        case SpecChanged job -> jobs.changeSpec(job);
        case NodeSeen node -> see(node);
        case NodeProfiled node ->
            Rows.update(
                connection,
                PUT_NODE_PROFILE,
                bind("node", names.node(node.node())),
                bind("profile", node.profileJson()));
        case ProjectProfiled project ->
            Rows.update(
                connection,
                PUT_PROJECT_PROFILE,
                bind("project", names.project(project.project())),
                bind("profile", project.profileJson()));
        case NodeAvailable node -> add(node);
        case StrategyRemembered memory ->
            Rows.update(
                connection,
                PUT_MEMORY,
                bind("strategy", memory.strategy()),
                bind("subject", memory.subject()),
                bind("memory", memory.memoryJson()));
        case SettingPut setting -> SettingTable.put(connection, setting);
        case AttemptStarted start -> {
          announce(start.task());
          tasks.start(start);
          usage.started(start);
        }
        case AttemptEnded end -> {
          announce(end.task());
          usage.ended(end);
          tasks.end(end);
        }
        case AttemptStopped stop -> {
          flushTasks();
          if (tasks.stop(stop)) {
            usage.stopped(stop);
          }
        }
        case TasksChanged run -> {
          flushTasks();
          tasks.changeRun(run);
        }
        case TaskChanged task -> {
          announce(task.task());
          tasks.change(task);
        }
        case RecordChange record -> {
          if (record instanceof JobRemoved || record instanceof TaskImported) {
            jobs.flush();
            flushTasks();
          }
          records.write(record);
        }
      }
    }
    jobs.flush();
    flushTasks();
    records.flush();
    usage.flush();
    blobs.flush();
  }

  /** Drops what a failed transaction left behind. */
  public void discard() throws SQLException {
    names.forget();
    jobs.discard();
    tasks.discard();
    records.discard();
    usage.discard();
    blobs.discard();
    pendingTasks.clear();
  }

  private void announce(TaskId task) throws SQLException {
    if (!pendingTasks.add(task)) {
      flushTasks();
      pendingTasks.add(task);
    }
  }

  private void flushTasks() throws SQLException {
    tasks.flush();
    pendingTasks.clear();
  }

  private void add(NodeAvailable node) throws SQLException {
    Rows.update(
        connection,
        ADD_AVAILABILITY,
        bind("node", names.node(node.node())),
        bind("at", node.atMillis()),
        bind("what", node.what().ordinal()));
    if (availabilityWritten++ % AVAILABILITY_PER_CLEANING == 0) {
      long before = node.atMillis() - AVAILABILITY_KEPT_MILLIS;
      Rows.update(connection, "DELETE FROM availability WHERE at < :at", bind("at", before));
    }
  }

  private void see(NodeSeen seen) throws SQLException {
    Rows.update(
        connection,
        SEE_AGENT,
        bind("node", names.node(seen.node())),
        bind("title", seen.agentName()),
        bind("version", seen.version()),
        bind("platform", JsonColumns.platform(seen.platform())),
        bind("slots", seen.slots()),
        bind("connected", seen.connected() ? 1 : 0),
        bind("seen_at", seen.atMillis()),
        bind("id", names.agent(seen.agent())));
  }
}
