package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.model.ImkerException;
import dev.imker.server.members.BlobPlace;
import dev.imker.server.members.PoolMove;
import dev.imker.server.members.SharedPool;
import dev.imker.store.blobs.S3Place;
import dev.imker.store.move.PoolMigration;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.CuttingProxy;
import dev.imker.testdb.TestPostgres;
import dev.imker.testdb.TestS3;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers whose files are in a store that speaks S3. */
@ExpectedLogs("^WARN ")
class SharedFilesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BUCKET = "imker-pool";
  private static final String KEY = "aws.accessKeyId";
  private static final String SECRET = "aws.secretAccessKey";
  private static final byte[] CONTENT = "honey".getBytes(StandardCharsets.UTF_8);

  @TempDir static Path objects;
  private static TestS3 s3;

  @TempDir Path folder;
  private final String database = TestPostgres.freshDatabase();

  @BeforeAll
  static void start() {
    System.setProperty(KEY, TestS3.KEY);
    System.setProperty(SECRET, TestS3.SECRET);
    s3 = TestS3.start(objects, BUCKET);
  }

  @AfterAll
  static void stop() {
    s3.close();
    System.clearProperty(KEY);
    System.clearProperty(SECRET);
  }

  private static void awaitLeader(TestServer server) {
    await().atMost(PATIENCE).until(() -> server.admin().get("/api/v1/pool").status() == 200);
  }

  private static BlobPlace bucket(String name) {
    return new BlobPlace.InBucket(S3Place.parse("s3://" + name + "/pool").at(s3.endpoint()));
  }

  private TestServer start(String name, String bucket) {
    return start(name, bucket(bucket));
  }

  private TestServer start(String name, BlobPlace place) {
    return TestServer.start(
        TestServer.settings(folder.resolve(name))
            .withShared(SharedPool.of(database).withBlobs(place)));
  }

  @Test
  void what_moves_there_and_what_comes_later_is_served_by_every_server() {
    String moved;
    try (TestServer single = TestServer.start(TestServer.settings(folder.resolve("old")))) {
      moved = single.admin().upload(CONTENT);
    }
    PoolMigration.Report report =
        PoolMove.run(folder.resolve("old"), database, bucket(BUCKET), line -> {});
    assertThat(report.files()).isEqualTo(1);
    try (TestServer first = start("first", BUCKET)) {
      awaitLeader(first);
      assertThat(first.admin().get("/api/v1/pool").json().get("files").asText())
          .startsWith("s3://" + BUCKET + "/pool/ at http://");
      assertThat(first.admin().get("/api/v1/blobs/" + moved).text()).isEqualTo("honey");
      String later = first.admin().upload("comb".getBytes(StandardCharsets.UTF_8));
      try (TestServer standby = start("second", BUCKET)) {
        assertThat(standby.admin().get("/api/v1/blobs/" + later).text()).isEqualTo("comb");
        assertThat(standby.admin().get("/api/v1/blobs/" + moved).text()).isEqualTo("honey");
      }
    }
  }

  @Test
  void server_waits_for_the_store_and_then_starts() throws Exception {
    try (CuttingProxy proxy = CuttingProxy.to(s3.endpoint().getPort())) {
      proxy.refuse(true);
      URI through = URI.create("http://127.0.0.1:" + proxy.port());
      BlobPlace place =
          new BlobPlace.InBucket(S3Place.parse("s3://" + BUCKET + "/pool").at(through));
      CompletableFuture<TestServer> started =
          CompletableFuture.supplyAsync(() -> start("waiting", place), Thread.ofPlatform()::start);
      // More often than one start asks.
      await().atMost(PATIENCE).until(() -> proxy.refused() > 12 || started.isDone());
      assertThat(started.isDone()).isFalse();
      proxy.refuse(false);
      try (TestServer server = started.get(120, TimeUnit.SECONDS)) {
        awaitLeader(server);
        String file = server.admin().upload(CONTENT);
        assertThat(server.admin().get("/api/v1/blobs/" + file).text()).isEqualTo("honey");
      }
    }
  }

  @Test
  void wrong_credentials_end_it_at_once() {
    System.setProperty(SECRET, "wasps");
    try {
      assertThatThrownBy(() -> start("first", BUCKET))
          .isInstanceOf(ImkerException.class)
          .hasMessageContaining("AWS_SECRET_ACCESS_KEY");
    } finally {
      System.setProperty(SECRET, TestS3.SECRET);
    }
  }

  @Test
  void wrong_bucket_ends_it_at_once() {
    assertThatThrownBy(() -> start("first", "another-bucket"))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("no bucket another-bucket");
  }
}
