package dev.imker.store;

import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.Change;
import dev.imker.store.sqlite.SqliteStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Another JVM that commits without end and says on its standard output what it committed, after it
 * did. Its commit number n adds job n, starts all its tasks, and settles job n-1.
 */
public final class CommittingProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private long acknowledged;

  private CommittingProcess(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  public static CommittingProcess start(Path folder, long fromJob) throws IOException {
    return start(List.of(), folder, fromJob);
  }

  /** Starts it through another program. */
  static CommittingProcess start(List<String> through, Path folder, long fromJob)
      throws IOException {
    List<String> command = new ArrayList<>(through);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            CommittingProcess.class.getName(),
            folder.toString(),
            Long.toString(fromJob)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new CommittingProcess(process);
  }

  public long pid() {
    return process.pid();
  }

  public void awaitAcknowledged(long job) throws IOException {
    while (acknowledged < job) {
      if (!readOne()) {
        throw new IOException("the process ended after acknowledging " + acknowledged);
      }
    }
  }

  /** Kills without warning; returns the last commit that was acknowledged, 0 without any. */
  public long kill() throws IOException, InterruptedException {
    // Through the handle, because Process would close the output that is still to be read.
    process.toHandle().destroyForcibly();
    while (readOne()) {}
    process.waitFor();
    return acknowledged;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private boolean readOne() throws IOException {
    String line = out.readLine();
    // A line that was cut off by the kill has no end mark.
    if (line == null || !line.endsWith(".")) {
      return false;
    }
    acknowledged = Long.parseLong(line.substring(0, line.length() - 1));
    return true;
  }

  /** Arguments: folder, number of the first job to commit. */
  public static void main(String[] args) {
    try (PoolStore store = SqliteStore.open(Path.of(args[0]))) {
      store.beginEpoch();
      for (long job = Long.parseLong(args[1]); ; job++) {
        store.commit(changes(job));
        System.out.println(job + ".");
        System.out.flush();
      }
    }
  }

  static int tasksOf(long job) {
    return (int) (1 + job * 7 % 40);
  }

  static LeaseToken tokenOf(TaskId task) {
    return LeaseToken.of(task.job().value(), task.index());
  }

  private static List<Change> changes(long job) {
    List<Change> changes = new ArrayList<>();
    changes.add(Samples.job(job, "job-" + job, tasksOf(job)));
    for (int i = 0; i < tasksOf(job); i++) {
      TaskId task = new TaskId(new JobId(job), i);
      changes.add(Samples.started(task, tokenOf(task).value()));
    }
    long before = job - 1;
    if (before > 0) {
      for (int i = 0; i < tasksOf(before); i++) {
        TaskId task = new TaskId(new JobId(before), i);
        changes.add(Samples.doneWith(task, tokenOf(task).value(), Samples.richReport()));
      }
      changes.add(Samples.settled(before, Map.of(TaskState.DONE, tasksOf(before))));
    }
    return changes;
  }
}
