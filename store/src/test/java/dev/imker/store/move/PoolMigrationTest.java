package dev.imker.store.move;

import static dev.imker.store.Samples.doneWith;
import static dev.imker.store.Samples.job;
import static dev.imker.store.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.account.AuditEntry;
import dev.imker.model.change.Audited;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.NodeProfiled;
import dev.imker.store.PoolStore;
import dev.imker.store.PostgresDatabases;
import dev.imker.store.RandomHistory;
import dev.imker.store.Recovered;
import dev.imker.store.Samples;
import dev.imker.store.StoreException;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobUpload;
import dev.imker.store.blobs.PostgresBlobs;
import dev.imker.store.blobs.TieredBlobs;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolMigrationTest {
  @TempDir Path folder;
  private final String url = PostgresDatabases.fresh();

  private PoolMigration migration(BlobStore blobs) {
    return new PoolMigration(folder, url, blobs, line -> {});
  }

  @Test
  void pool_is_the_same_after_it_was_moved() throws IOException {
    long seed = Long.getLong("imker.seed", System.nanoTime());
    System.out.println("imker.seed=" + seed + " (set it to repeat this history)");
    Random random = new Random(seed);
    RandomHistory history = new RandomHistory(random, 40);
    TaskId rich = TaskId.of(2, 0);
    Recovered before;
    long epoch;
    try (PoolStore store = SqliteStore.open(folder)) {
      epoch = store.beginEpoch();
      store.commit(List.of(job(1, "a", 40)));
      for (int i = 0; i < 20; i++) {
        store.commit(history.next(1 + random.nextInt(60)));
      }
      store.commit(
          List.of(
              new JobAdded(new JobId(2), "eva", Samples.richSpec(), 15, 1234, "key-1"),
              started(rich, 11),
              doneWith(rich, 11, Samples.richReport()),
              new Audited(new AuditEntry(1, "eva", "USER", "POST /x", 200, "::1")),
              new NodeProfiled(Samples.NODE, "{}")));
      store.putSetting("strategy", "survival");
      before = Recovered.of(store);
    }
    BlobId file = storeFile("hello");
    try (PostgresBlobs blobs = PostgresBlobs.open(url);
        PoolStore moved = PostgresStore.open(url)) {
      PoolMigration.Report report = migration(blobs).run();
      assertThat(report.files()).isEqualTo(1);
      assertThat(report.bytes()).isEqualTo(5);
      assertThat(blobs.open(file).readAllBytes()).isEqualTo(bytes("hello"));
      Recovered after = Recovered.of(moved);
      assertThat(after).usingRecursiveComparison().isEqualTo(before);
      assertThat(moved.setting("strategy")).contains("survival");
      assertThat(moved.reads().attempts(rich)).hasSize(1);
      assertThat(moved.journal().audit(null, 0, 0, 10)).hasSize(1);
      assertThat(moved.beginEpoch()).isGreaterThan(epoch);
      // Numbers that the database gives are free.
      moved.commit(
          List.of(
              new Audited(new AuditEntry(2, "eva", "USER", "POST /y", 200, "::1")),
              new JobAdded(new JobId(3), "otto", Samples.spec("b", 1), 1, 1, "")));
      assertThat(moved.reads().job(new JobId(3)).orElseThrow().project().user()).isEqualTo("otto");
      assertThatThrownBy(() -> migration(blobs).run())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("already holds a pool");
    }
    SqliteStore.open(folder).close();
  }

  private BlobId storeFile(String text) throws IOException {
    try (BlobStore blobs = TieredBlobs.open(folder.resolve("blobs"));
        BlobUpload upload = blobs.upload()) {
      upload.write(bytes(text));
      return upload.finish();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
