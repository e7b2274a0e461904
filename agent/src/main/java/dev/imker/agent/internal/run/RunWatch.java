package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.work.FolderSize;
import dev.imker.agent.internal.work.TaskFolder;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches runs for what neither the kernel nor the executor limits: time, disk, memory in all.
 *
 * @param offeredBytes how much memory all of them may have together; 0: all that there is
 */
public record RunWatch(Policy policy, LongSupplier offeredBytes) {
  /** The server orders the end at the limit; this is for the case that it cannot be heard. */
  private static final long OVERTIME_GRACE_MILLIS = 2_000;

  private static final long DISK_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Where nothing is limited, looking is to cost next to nothing however many files there are. */
  private static final long IDLE_DISK_LOOK_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final int LOOK_SHARE = 100;
  private static final long MEGABYTE = 1 << 20;

  /** Why a run has to end; null while it may go on. */
  TaskRun.@Nullable Ending check(TaskRun run, long nowNanos) {
    long ranMillis = run.ranMillis(nowNanos);
    long limitMillis = run.maxRuntimeMillis;
    if (limitMillis > 0 && ranMillis - OVERTIME_GRACE_MILLIS > limitMillis) {
      return overtime(limitMillis, ".");
    }
    if (policy.runMillis() > 0 && ranMillis > policy.runMillis()) {
      return overtime(policy.runMillis(), " (limit of the node's policy).");
    }
    long neededBytes = run.held.granted().of("disk");
    long ownersBytes = policy.diskBytes();
    if (neededBytes > 0 && (ownersBytes == 0 || neededBytes < ownersBytes)) {
      return checkDisk(
          run,
          nowNanos,
          neededBytes,
          "Used more than the %d MB of disk it asked for (needs: disk).");
    }
    if (ownersBytes > 0) {
      return checkDisk(
          run, nowNanos, ownersBytes, "Used more than %d MB of disk (limit of the node's policy).");
    }
    lookAtDisk(run, nowNanos, Math.max(IDLE_DISK_LOOK_NANOS, LOOK_SHARE * run.diskLookTookNanos));
    return null;
  }

  void lookAtHosts(JavaRuns java, long nowNanos) {
    java.hosts().endIdle(nowNanos);
    if (policy.diskBytes() > 0) {
      java.hosts().limitDisk(policy.diskBytes());
    }
  }

  private static TaskRun.Ending overtime(long limitMillis, String whose) {
    return new TaskRun.Ending(
        TaskRun.Cause.OVERTIME,
        "Exceeded its time limit of " + limitMillis / 1000.0 + " s" + whose);
  }

  private TaskRun.@Nullable Ending checkDisk(
      TaskRun run, long nowNanos, long mostBytes, String words) {
    lookAtDisk(run, nowNanos, DISK_LOOK_NANOS);
    if (run.diskBytes <= mostBytes) {
      return null;
    }
    return new TaskRun.Ending(
        TaskRun.Cause.OVERRUN,
        run.diskBytes >= FolderSize.HIDDEN
            ? "Created a folder that the agent cannot read, so its disk limit of %d MB cannot be enforced."
                .formatted(mostBytes / MEGABYTE)
            : words.formatted(mostBytes / MEGABYTE));
  }

  private static void lookAtDisk(TaskRun run, long nowNanos, long pauseNanos) {
    TaskFolder folder = run.folder;
    if (folder == null || nowNanos - run.diskLookNanos < pauseNanos) {
      return;
    }
    run.diskLookNanos = nowNanos;
    Thread.ofVirtual()
        .name("imker-disk")
        .start(
            () -> {
              long from = System.nanoTime();
              run.diskBytes =
                  FolderSize.of(folder.work()) + FolderSize.of(folder.temporary()) + nameless(run);
              run.diskLookTookNanos = System.nanoTime() - from;
            });
  }

  /** Whoever deletes a file and keeps it open has its bytes all the same. */
  private static long nameless(TaskRun run) {
    TaskProcess process = run.process;
    return process == null ? 0 : process.namelessBytes();
  }

  /** Whether all runs together, with what hosts of Java tasks have, use more than is offered. */
  boolean isMemoryExceeded(Collection<TaskRun> running, JavaRuns java) {
    long mostBytes = offeredBytes.getAsLong();
    if (mostBytes <= 0) {
      return false;
    }
    long sum = java.hosts().memoryBytes();
    for (TaskRun run : running) {
      TaskProcess process = run.process;
      sum += process == null ? 0 : process.memoryBytes();
    }
    return sum > mostBytes;
  }
}
