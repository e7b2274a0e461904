package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.coord.LeaseTimes;
import dev.imker.model.ImkerException;
import dev.imker.server.backup.PoolBackup;
import dev.imker.server.backup.PoolVerification;
import dev.imker.server.members.BlobPlace;
import dev.imker.server.members.SharedPool;
import dev.imker.store.move.PoolSnapshot;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool is backed up while it works, and comes back with all it had. */
@ExpectedLogs("This pool was restored on")
class BackupTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final byte[] CONTENT = "an input of a job".getBytes(StandardCharsets.UTF_8);
  private static final LeaseTimes PATIENT = new LeaseTimes(12_000, 120_000);

  @TempDir Path folder;
  private final PoolBackup backup = new PoolBackup(_ -> {}, Clock.systemUTC());

  private static String fill(TestServer server) {
    String hash = server.admin().upload(CONTENT);
    server
        .admin()
        .submit(
            """
            {"name":"kept","command":["cat in.txt"],"inputs":[{"path":"in.txt","blob":"%s","size":%d}]}\
            """
                .formatted(hash, CONTENT.length));
    return hash;
  }

  private static List<String> names(TestServer server) {
    JsonNode jobs = server.admin().get("/api/v1/jobs").json();
    return jobs.findValuesAsText("name");
  }

  private PoolVerification.Report verify(Path place) {
    return new PoolVerification(_ -> {}).ofFolder(place);
  }

  private static void expectPool(TestServer server, String token, String blob) {
    await().atMost(PATIENCE).until(() -> server.admin().get("/api/v1/pool").status() == 200);
    assertThat(names(server)).containsExactly("kept");
    assertThat(server.running().adminToken()).isEqualTo(token);
    assertThat(server.admin().get("/api/v1/blobs/" + blob).text())
        .isEqualTo(new String(CONTENT, StandardCharsets.UTF_8));
  }

  /** The database has hashes of passwords, environments of jobs and keys. */
  private static void assertOwnersOnly(Path place) throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
        .isEqualTo("rwx------");
    Path database = place.resolve(PoolSnapshot.fileName());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(database)))
        .isEqualTo("rw-------");
  }

  @Test
  void pool_in_a_folder_comes_back_from_the_backup_of_a_running_server() throws Exception {
    Path kept = folder.resolve("backup");
    String token;
    String blob;
    try (TestServer server = TestServer.start(folder.resolve("pool"))) {
      token = server.running().adminToken();
      blob = fill(server);
      assertThat(backup.ofFolder(folder.resolve("pool"), kept).files()).isPositive();
      assertThat(backup.ofFolder(folder.resolve("pool"), kept).files()).as("again").isZero();
      assertOwnersOnly(kept);
      server.admin().submit("{\"name\":\"later\",\"command\":[\"true\"]}");
    }
    assertThat(verify(kept).problems()).isEmpty();
    assertThat(verify(kept).jobs()).isEqualTo(1);
    Path back = folder.resolve("back");
    backup.toFolder(kept, back);
    assertOwnersOnly(back);
    assertThat(back.resolve("secrets-key"))
        .hasSameBinaryContentAs(folder.resolve("pool").resolve("secrets-key"));
    assertThatThrownBy(() -> backup.toFolder(kept, back))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("There is a pool in " + back);
    try (TestServer server = TestServer.start(back)) {
      expectPool(server, token, blob);
    }
  }

  @Test
  void damage_is_found() throws Exception {
    Path kept = folder.resolve("backup");
    String blob;
    try (TestServer server = TestServer.start(folder.resolve("pool"))) {
      blob = fill(server);
      backup.ofFolder(folder.resolve("pool"), kept);
    }
    String small = "jdbc:sqlite:" + kept.resolve("blobs/small.db");
    String same = " small_blob%s WHERE LOWER(HEX(sha256)) = '" + blob + "'";
    try (Connection damage = DriverManager.getConnection(small)) {
      damage
          .createStatement()
          .executeUpdate("UPDATE" + same.formatted(" SET content = 'something else'"));
    }
    assertThat(verify(kept).problems()).singleElement().asString().contains(blob, "hash");
    try (Connection damage = DriverManager.getConnection(small)) {
      damage.createStatement().executeUpdate("DELETE FROM" + same.formatted(""));
    }
    assertThat(verify(kept).problems()).singleElement().asString().contains(blob, "missing");
    Files.writeString(kept.resolve("blobs/small.db"), "not a database");
    assertThat(verify(kept).problems()).isNotEmpty();
    Files.writeString(kept.resolve("imker.db"), "x", StandardOpenOption.APPEND);
    assertThat(verify(kept).problems()).isNotEmpty();
    assertThatThrownBy(() -> backup.toFolder(kept, folder.resolve("back")))
        .isInstanceOf(ImkerException.class);
  }

  @Test
  void pool_in_a_database_comes_back_in_a_database_and_in_a_folder() throws Exception {
    String url = TestPostgres.freshDatabase();
    Path kept = folder.resolve("backup");
    String token;
    String blob;
    try (TestServer server = start("first", url)) {
      await().atMost(PATIENCE).until(() -> server.admin().get("/api/v1/pool").status() == 200);
      token = server.running().adminToken();
      blob = fill(server);
      backup.ofDatabase(url, BlobPlace.DATABASE, kept);
      assertThatThrownBy(
              () -> backup.moveToFolder(url, BlobPlace.DATABASE, folder.resolve("moved")))
          .isInstanceOf(ImkerException.class)
          .hasMessageContaining("Stop it first");
    }
    assertThat(verify(kept).problems()).isEmpty();
    String other = TestPostgres.freshDatabase();
    backup.toDatabase(kept, other, BlobPlace.DATABASE);
    assertThat(
            new PoolVerification(_ -> {})
                .ofDatabase(other, BlobPlace.DATABASE, folder.resolve("own"))
                .problems())
        .isEmpty();
    try (TestServer server = start("second", other)) {
      expectPool(server, token, blob);
    }
    backup.moveToFolder(url, BlobPlace.DATABASE, folder.resolve("moved"));
    try (TestServer server = TestServer.start(folder.resolve("moved"))) {
      expectPool(server, token, blob);
    }
  }

  private TestServer start(String name, String url) {
    return TestServer.start(
        TestServer.settings(folder.resolve(name))
            .withShared(SharedPool.of(url).withLease(PATIENT)));
  }
}
