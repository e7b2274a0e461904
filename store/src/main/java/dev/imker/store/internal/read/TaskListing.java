package dev.imker.store.internal.read;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.store.TaskFigures;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.internal.rows.Bind;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.RowMappers;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Queries of the tasks of one job, each answered from an index. */
public record TaskListing(ReadConnections connections) {
  private static final String SELECT =
      "SELECT " + RowMappers.TASK_COLUMNS + ", " + RowMappers.ATTEMPT_COLUMNS;
  private static final String TABLES = " FROM task t" + RowMappers.ATTEMPT_NAMES;
  private static final Set<TaskState> UNINDEXED = EnumSet.of(TaskState.RUNNING, TaskState.DONE);

  /** Repeats the condition of the index task_troubled literally, otherwise it is not used. */
  private static final String TROUBLED = "t.state = :state AND t.state NOT IN (2, 3) AND ";

  private static final String FIGURES =
      """
      SELECT id, state, attempts, COALESCE(started_at, leased_at, 0), COALESCE(ended_at, 0)
      FROM task WHERE id BETWEEN :first AND :last ORDER BY id
      """;

  private static final String COUNTING =
      """
      SELECT t.id, t.state, COALESCE(n.name, ''), COALESCE(t.started_at, t.leased_at, 0),
        COALESCE(t.ended_at, 0)
      FROM task t LEFT JOIN node n ON n.id = t.node WHERE t.id BETWEEN :first AND :last
      """;

  /** An attempt that was lost and continued when its agent came back is in the task's row. */
  private static final String EARLIER =
      """
      SELECT t.task, -1, COALESCE(n.name, ''), t.started_at, t.ended_at
      FROM attempt t LEFT JOIN node n ON n.id = t.node WHERE t.task BETWEEN :first AND :last
        AND NOT EXISTS (SELECT 1 FROM task r WHERE r.id = t.task AND r.token = t.token)
      """;

  private static final int MAX_KEYS = 500;

  List<TaskRecord> page(TaskQuery query) {
    Set<TaskState> states = query.states();
    if (states.isEmpty() || states.stream().anyMatch(UNINDEXED::contains)) {
      return inOrder(query);
    }
    List<TaskRecord> all = new ArrayList<>();
    for (TaskState state : states) {
      String sql = troubledSql(query.withOutput());
      all.addAll(
          list(
              sql,
              bind("state", state.ordinal()),
              bind("first", from(query)),
              bind("last", to(query)),
              bind("limit", query.limit())));
    }
    all.sort(Comparator.comparingInt(task -> task.id().index()));
    return all.size() > query.limit() ? all.subList(0, query.limit()) : all;
  }

  /** Tasks in one state and a range of keys. */
  public static String troubledSql(boolean withOutput) {
    return select(withOutput)
        + TROUBLED
        + "t.id BETWEEN :first AND :last ORDER BY t.id LIMIT :limit";
  }

  private List<TaskRecord> inOrder(TaskQuery query) {
    String sql =
        select(query.withOutput())
            + "t.id BETWEEN :first AND :last"
            + states(query.states())
            + " ORDER BY t.id LIMIT :limit";
    return list(
        sql, bind("first", from(query)), bind("last", to(query)), bind("limit", query.limit()));
  }

  List<TaskRecord> at(JobId job, Collection<Integer> indexes, boolean withOutput) {
    List<Integer> sorted = indexes.stream().sorted().toList();
    List<TaskRecord> all = new ArrayList<>(sorted.size());
    for (int from = 0; from < sorted.size(); from += MAX_KEYS) {
      List<Integer> some = sorted.subList(from, Math.min(sorted.size(), from + MAX_KEYS));
      String keys =
          some.stream()
              .map(index -> Long.toString(TaskKey.of(new TaskId(job, index))))
              .collect(Collectors.joining(", "));
      all.addAll(list(select(withOutput) + "t.id IN (" + keys + ") ORDER BY t.id"));
    }
    return all;
  }

  /** How many tasks in a state ever ran. */
  int countRan(JobId job, TaskState state) {
    return connections.read(
        c ->
            Rows.list(
                    c,
                    row -> row.getInt(1),
                    "SELECT COUNT(*) FROM task t WHERE "
                        + TROUBLED
                        + "t.id BETWEEN :first AND :last AND t.attempts > 0",
                    bind("state", state.ordinal()),
                    bind("first", TaskKey.first(job)),
                    bind("last", TaskKey.last(job)))
                .getFirst());
  }

  /**
   * On a connection of its own: a million rows take a while, and a consumer cannot be restarted.
   */
  void forEach(JobId job, TaskFigures action) {
    connections.readApart(
        c -> {
          Rows.forEach(
              c,
              row ->
                  action.accept(
                      TaskKey.index(row.getLong(1)),
                      Codes.state(row.getInt(2)),
                      row.getInt(3),
                      row.getLong(4),
                      row.getLong(5)),
              FIGURES,
              bind("first", TaskKey.first(job)),
              bind("last", TaskKey.last(job)));
          return true;
        });
  }

  void forEachAttempt(JobId job, TaskFigures.OfAttempts action) {
    connections.readApart(
        c -> {
          for (String sql : List.of(COUNTING, EARLIER)) {
            Rows.forEach(
                c,
                row ->
                    action.accept(
                        TaskKey.index(row.getLong(1)),
                        row.getInt(2) < 0 ? null : Codes.state(row.getInt(2)),
                        row.getString(3),
                        row.getLong(4),
                        row.getLong(5)),
                sql,
                bind("first", TaskKey.first(job)),
                bind("last", TaskKey.last(job)));
          }
          return true;
        });
  }

  private List<TaskRecord> list(String sql, Bind... binds) {
    return connections.read(c -> Rows.list(c, RowMappers::task, sql, binds));
  }

  private static String select(boolean withOutput) {
    return SELECT + (withOutput ? ", t.output" : ", NULL") + TABLES + "WHERE ";
  }

  private static long from(TaskQuery query) {
    return TaskKey.of(new TaskId(query.job(), query.fromIndex()));
  }

  private static long to(TaskQuery query) {
    return TaskKey.last(query.job());
  }

  private static String states(Set<TaskState> states) {
    return states.isEmpty()
        ? ""
        : states.stream()
            .map(state -> String.valueOf(state.ordinal()))
            .collect(Collectors.joining(", ", " AND t.state IN (", ")"));
  }
}
