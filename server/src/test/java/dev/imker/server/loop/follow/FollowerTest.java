package dev.imker.server.loop.follow;

import static org.awaitility.Awaitility.await;

import dev.imker.store.postgres.PostgresStore;
import dev.imker.testdb.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FollowerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What is announced to a connection that nobody reads piles up in the database. */
  @Test
  void nothing_is_announced_to_a_server_that_leads() throws Exception {
    String url = TestPostgres.freshDatabase();
    try (PostgresStore store = PostgresStore.open(url);
        Follower follower = new Follower(store.follow().orElseThrow(), System::nanoTime);
        Connection other = DriverManager.getConnection(url)) {
      follower.follow();
      follower.start();
      await().atMost(PATIENCE).until(() -> listening(other) == 1);
      follower.rest();
      await().atMost(PATIENCE).until(() -> listening(other) == 0);
      follower.follow();
      await().atMost(PATIENCE).until(() -> listening(other) == 1);
    }
  }

  private static int listening(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND query LIKE 'LISTEN %'")) {
      return row.next() ? row.getInt(1) : -1;
    }
  }
}
