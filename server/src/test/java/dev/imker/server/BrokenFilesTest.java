package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.ExpectedLogs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database of small files that fails while the server runs. */
@ExpectedLogs({"small\\.db", "The scheduler failed", "did not stop cleanly"})
class BrokenFilesTest {
  @TempDir Path folder;

  @Test
  void a_server_that_can_store_no_results_ends_instead_of_refusing_them_for_ever()
      throws Exception {
    try (TestServer server = TestServer.start(folder)) {
      server.admin().upload("honey".getBytes(StandardCharsets.UTF_8));
      assertThat(server.running().failure()).isNotDone();
      damage(folder.resolve("blobs/small.db"));
      byte[] content = "comb".getBytes(StandardCharsets.UTF_8);
      Rest.Reply refused = server.admin().put("/api/v1/blobs/" + Rest.sha256(content), content);
      assertThat(refused.status()).isNotEqualTo(201);
      assertThat(server.running().failure().get(1, TimeUnit.MINUTES))
          .hasMessageContaining("small.db");
    }
  }

  /** Makes one page that of a table and of an index: whoever reads sees nothing of it. */
  private static void damage(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE INDEX damaged ON small_blob (touched_at)");
      statement.execute("PRAGMA writable_schema = ON");
      statement.execute(
          "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name ="
              + " 'small_blob') WHERE name = 'damaged'");
      statement.execute("PRAGMA schema_version = 9999");
    }
  }
}
