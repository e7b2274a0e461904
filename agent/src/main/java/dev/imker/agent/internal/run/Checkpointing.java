package dev.imker.agent.internal.run;

import dev.imker.agent.internal.cache.BlobClient;
import dev.imker.agent.internal.cache.Sha256;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.agent.internal.system.HeldFile;
import dev.imker.agent.internal.work.FoundResult;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.model.BlobId;
import dev.imker.model.Lease;
import dev.imker.model.job.TaskRules;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.ResultFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves files of running tasks at the server, as often as their job says, so that another attempt
 * can go on from there. A file that changes while it is being sent is left for the next time. Files
 * that a running Java task has saved by itself stay at the server.
 */
public record Checkpointing(BlobClient blobs, Uplink uplink) {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpointing.class);

  /** Shorter intervals are kept to the letter. */
  private static final long MIN_VARIED_MILLIS = TimeUnit.MINUTES.toMillis(20);

  /** The server removes what nothing refers to, after ten minutes at the earliest. */
  private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(4);

  /** Has the server keep what a run has saved, if it is time to; returns at once. */
  private void keepIfDue(TaskRun run, long nowNanos) {
    long last = run.keptNanos == 0 ? run.startedNanos : run.keptNanos;
    if (run.saving || nowNanos - last < KEEP_NANOS) {
      return;
    }
    run.keptNanos = nowNanos;
    List<ResultFile> files = run.savedFiles();
    if (!files.isEmpty()) {
      run.saving = true;
      Thread.ofVirtual().name("imker-keeping").start(() -> keep(run, files));
    }
  }

  private void keep(TaskRun run, List<ResultFile> files) {
    try {
      for (ResultFile file : files) {
        keep(file, run.held.lease());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      run.saving = false;
    }
  }

  /** What cannot be kept now is asked for again the next time; it costs the other files nothing. */
  private void keep(ResultFile file, Lease lease) throws InterruptedException {
    try {
      blobs.keep(new BlobId(file.getSha256()), lease);
    } catch (IOException | RuntimeException e) {
      LOG.debug("The saved file {} of task {} was not kept", file.getPath(), lease.task(), e);
    }
  }

  /** Begins to save if it is time to; called by the runner's thread, returns at once. */
  void saveIfDue(TaskRun run, long nowNanos) {
    keepIfDue(run, nowNanos);
    TaskRules rules = run.template.rules();
    TaskFolder folder = run.folder;
    if (rules.checkpointMillis() <= 0 || rules.checkpoints().isEmpty() || folder == null) {
      return;
    }
    long last = run.checkpointNanos == 0 ? run.startedNanos : run.checkpointNanos;
    if (run.checkpointPauseMillis == 0) {
      run.checkpointPauseMillis = pauseMillis(rules.checkpointMillis());
    }
    if (run.saving || nowNanos - last < TimeUnit.MILLISECONDS.toNanos(run.checkpointPauseMillis)) {
      return;
    }
    run.checkpointNanos = nowNanos;
    run.checkpointPauseMillis = 0;
    run.saving = true;
    Thread.ofVirtual().name("imker-checkpoint").start(() -> save(run, folder));
  }

  /** Tasks that began together should not all send their files at the same time. */
  static long pauseMillis(long everyMillis) {
    return everyMillis < MIN_VARIED_MILLIS
        ? everyMillis
        : ThreadLocalRandom.current().nextLong(everyMillis * 2 / 3, everyMillis * 4 / 3 + 1);
  }

  private void save(TaskRun run, TaskFolder folder) {
    try {
      Checkpoint.Builder checkpoint = Checkpoint.newBuilder().setLease(run.held.wire());
      List<FoundResult> found = folder.files(run.template.rules().checkpoints());
      for (FoundResult file : found) {
        try (HeldFile held = file.hold()) {
          BlobId blob = Sha256.of(held.path());
          blobs.upload(blob, held.path(), run.held.lease());
          checkpoint.addFiles(
              ResultFile.newBuilder()
                  .setPath(file.path())
                  .setSha256(blob.sha256())
                  .setSize(held.attributes().size())
                  .setExecutable(file.executable()));
        }
      }
      if (!found.isEmpty()) {
        uplink.trySend(checkpoint.build());
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("The checkpoint of task {} was not saved", run.held.lease().task(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      run.saving = false;
    }
  }
}
