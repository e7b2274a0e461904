package dev.imker.chaos.check;

import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Jobs that are rolled back: every task that was done is undone, once by the tables of the pool,
 * the last one first; and by the log of the tasks no undo began before those had ended that come
 * first. An undo whose machine is lost runs again, as every attempt does.
 */
final class Rollbacks {
  /** Of two results that may be of one transaction, nobody knows the order. */
  private static final long SAME_MILLIS = 2_000;

  private final History history;
  private final List<Violation> violations = new ArrayList<>();

  Rollbacks(History history) {
    this.history = history;
  }

  List<Violation> check() {
    Map<JobId, FinalJob> undone = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (FinalJob job : history.jobs()) {
      if ((job.isUndone() || job.isRestarted()) && !names.add(job.name())) {
        add(Promise.JOBS_EXIST_ONCE, job.name() + " is in the pool more than once");
      }
      if (job.isUndone()) {
        undone.put(job.id(), job);
      }
    }
    Map<JobId, List<TaskWrite>> writes = new HashMap<>();
    for (TaskWrite write : history.writes().tasks()) {
      JobId job = write.task().job();
      if (undone.containsKey(job)) {
        writes.computeIfAbsent(job, _ -> new ArrayList<>()).add(write);
      }
    }
    writes.forEach(
        (job, changes) -> checkJob(Objects.requireNonNull(undone.get(job)).name(), changes));
    return violations;
  }

  private void checkJob(String name, List<TaskWrite> writes) {
    List<TaskWrite> done = new ArrayList<>();
    List<TaskId> undone = new ArrayList<>();
    for (TaskWrite write : writes) {
      TaskId task = write.task();
      boolean wasDone = done.stream().anyMatch(one -> one.task().equals(task));
      if (undone.contains(task) && write.state() != TaskState.CANCELLED) {
        wrong(name, "%s became %s after it had been undone".formatted(task, write.state()));
      } else if (write.isResult()) {
        done.add(write);
      } else if (wasDone && write.state() == TaskState.CANCELLED && !undone.contains(task)) {
        undone.add(task);
      }
    }
    for (TaskWrite one : done) {
      if (!undone.contains(one.task())) {
        wrong(name, one.task() + " was done and not undone");
      } else if (history.log().undoEnd(one.task()).isEmpty()) {
        wrong(name, one.task() + " is said to be undone, and the log does not know of it");
      }
      for (TaskWrite later : done) {
        if (later.atMillis() - one.atMillis() > SAME_MILLIS) {
          checkOrder(name, one.task(), later.task(), undone);
        }
      }
    }
  }

  private void checkOrder(String name, TaskId earlier, TaskId later, List<TaskId> undone) {
    OptionalInt begun = history.log().undoBegin(earlier);
    OptionalInt ended = history.log().undoEnd(later);
    boolean tables = undone.indexOf(later) <= undone.indexOf(earlier);
    boolean tasks = begun.isEmpty() || (ended.isPresent() && ended.getAsInt() < begun.getAsInt());
    if (!tables || !tasks) {
      wrong(name, "%s was undone before %s, which was done later".formatted(earlier, later));
    }
  }

  private void wrong(String name, String what) {
    add(Promise.FAILED_JOBS_ARE_UNDONE, name + ": " + what);
  }

  private void add(Promise promise, String what) {
    violations.add(new Violation(promise, what));
  }
}
