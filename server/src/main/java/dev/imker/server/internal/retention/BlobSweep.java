package dev.imker.server.internal.retention;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.change.BlobsDisowned;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobStore.Freed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Removes files that nothing refers to. First everything that jobs and blackboards refer to is
 * marked; then every file without a mark goes that was not stored or touched within the grace
 * period. Whoever is about to refer to a file (a submission, a report, an answer that the file need
 * not be sent) touches it before: so a reference that is not on disk yet is as good as a mark, as
 * long as it takes less than the grace period to get there.
 *
 * @param kept files that the server itself needs
 */
record BlobSweep(PoolStore store, BlobStore blobs, RecordBook book, Supplier<List<BlobId>> kept) {
  private static final String CHECKPOINTS = "checkpoint/";
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final int PAGE = 500;
  private static final int MAX_AT_ONCE = 1000;

  /**
   * @param without jobs that count as removed already
   */
  Freed run(long nowMillis, long beforeMillis, boolean dryRun, Set<JobId> without)
      throws InterruptedException {
    MarkedBlobs used = new MarkedBlobs();
    MarkedBlobs usedBy = new MarkedBlobs();
    mark(nowMillis, used, usedBy, without);
    Freed[] freed = {Freed.NOTHING};
    List<BlobId> unused = new ArrayList<>(MAX_AT_ONCE);
    blobs.forEach(
        blob -> {
          if (!used.contains(blob)) {
            unused.add(blob);
          }
          if (unused.size() == MAX_AT_ONCE) {
            freed[0] = freed[0].plus(blobs.freeUntouched(unused, beforeMillis, dryRun));
            unused.clear();
          }
        });
    freed[0] = freed[0].plus(blobs.freeUntouched(unused, beforeMillis, dryRun));
    if (!dryRun) {
      disown(beforeMillis, usedBy); // last, as it needs space on a disk that may be full
    }
    return freed[0];
  }

  private void mark(long nowMillis, MarkedBlobs used, MarkedBlobs usedBy, Set<JobId> without) {
    JobId before = null;
    for (List<JobRecord> page = page(null); !page.isEmpty(); page = page(before)) {
      before = page.getLast().id();
      for (JobRecord job : page) {
        if (without.contains(job.id())) {
          continue;
        }
        store
            .reads()
            .forEachBlob(
                job.id(),
                (blob, size) -> {
                  used.add(blob);
                  usedBy.add(job.project().user(), blob);
                });
      }
    }
    kept.get().forEach(used::add);
    store.settings(CHECKPOINTS).values().forEach(files -> markHashes(files, used));
    store
        .board()
        .forEachBlob(
            nowMillis,
            (project, blob) -> {
              used.add(blob);
              usedBy.add(project.user(), blob);
            });
  }

  /** What tasks saved to go on with is kept among the settings, as JSON. */
  private static void markHashes(String text, MarkedBlobs used) {
    Matcher matcher = HASH.matcher(text);
    while (matcher.find()) {
      used.add(new BlobId(matcher.group()));
    }
  }

  private List<JobRecord> page(@Nullable JobId before) {
    return store.reads().jobs(JobFilter.ALL, before, PAGE);
  }

  /** Files count no longer for users whose jobs do not have them any more. */
  private void disown(long beforeMillis, MarkedBlobs usedBy) throws InterruptedException {
    Map<String, List<BlobId>> gone = new HashMap<>();
    store
        .accounts()
        .forEachOwnedBefore(
            beforeMillis,
            (user, blob) -> {
              if (!usedBy.contains(user, blob)) {
                gone.computeIfAbsent(user, name -> new ArrayList<>()).add(blob);
              }
            });
    for (Map.Entry<String, List<BlobId>> entry : gone.entrySet()) {
      List<BlobId> all = entry.getValue();
      for (int from = 0; from < all.size(); from += MAX_AT_ONCE) {
        List<BlobId> some = all.subList(from, Math.min(all.size(), from + MAX_AT_ONCE));
        book.write(List.of(new BlobsDisowned(entry.getKey(), some, beforeMillis)));
      }
    }
  }
}
