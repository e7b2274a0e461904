package dev.imker.chaos.check;

import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that servers wrote about work, in the order in which it went into the database, as the
 * database itself saw it.
 *
 * @param incarnations what the leader of an epoch was told apart by, as far as the pool knows it
 */
public record PoolWrites(
    List<EpochBegun> epochs,
    List<Write> writes,
    List<TaskWrite> tasks,
    Map<Long, Long> incarnations) {
  /**
   * A server began to lead.
   *
   * @param server the life of a server: a restarted one has another name
   */
  public record EpochBegun(long order, long atMillis, String server, long epoch) {}

  /** A transaction wrote to one of the tables of work. */
  public record Write(long order, String server, String table) {}

  /**
   * The row of a task changed.
   *
   * @param number of the attempt in the row, 0 without one
   */
  public record TaskWrite(
      long order,
      long atMillis,
      String server,
      TaskId task,
      Optional<TaskState> before,
      TaskState state,
      LeaseToken token,
      int number) {
    boolean isResult() {
      return state == TaskState.DONE && before.filter(was -> was == TaskState.DONE).isEmpty();
    }

    /** Whether the task was handed out. */
    public boolean isDispatch() {
      return state == TaskState.RUNNING;
    }
  }

  /** How many results were written. */
  public long results() {
    return tasks.stream().filter(TaskWrite::isResult).count();
  }

  public PoolWrites {
    epochs = List.copyOf(epochs);
    writes = List.copyOf(writes);
    tasks = List.copyOf(tasks);
    incarnations = Map.copyOf(incarnations);
  }
}
