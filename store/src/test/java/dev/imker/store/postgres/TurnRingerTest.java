package dev.imker.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.testdb.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class TurnRingerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final PostgresDatabase database = new PostgresDatabase(TestPostgres.freshDatabase());
  private final TurnRinger ringer = new TurnRinger(database);
  private final TurnBell bell = new TurnBell(database);

  @AfterEach
  void close() {
    bell.close();
    ringer.close();
  }

  /** Turns are written until it has been seen whether anybody listens. */
  private void ringUntilHeard(boolean heard) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              ringer.ring();
              return ringer.isHeard() == heard;
            });
  }

  @Test
  void rings_only_while_somebody_listens() throws Exception {
    ringer.ring();
    ringUntilLooked();
    assertThat(ringer.announced()).isZero();

    assertThat(bell.await(10)).isTrue(); // listens from now on
    ringUntilHeard(true);
    await().atMost(PATIENCE).until(() -> ringer.announced() > 0);

    bell.hangUp();
    ringUntilHeard(false);
    long before = ringer.announced();
    for (int i = 0; i < 100; i++) {
      ringer.ring();
    }
    ringUntilLooked();
    assertThat(ringer.announced()).isEqualTo(before);
  }

  private void ringUntilLooked() {
    long before = ringer.looked();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              ringer.ring();
              return ringer.looked() > before;
            });
  }

  @Test
  void whoever_listens_hears_of_a_turn() throws Exception {
    assertThat(bell.await(10)).isTrue();
    ringUntilHeard(true);
    try (Connection other = database.openPlain();
        Statement statement = other.createStatement()) {
      statement.execute("LISTEN " + ChangeLog.CHANNEL);
      ringer.ring();
      assertThat(other.unwrap(PGConnection.class).getNotifications(60_000)).isNotEmpty();
    }
  }

  @Test
  void waits_for_no_disk_in_its_own_transactions_alone() throws Exception {
    try (Connection pooled = database.openPlain();
        Statement statement = pooled.createStatement()) {
      statement.execute("SET synchronous_commit = local");
      statement.execute(TurnRinger.ANNOUNCE);
      assertThat(commits(pooled)).isEqualTo("local");
    }
  }

  private static String commits(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
      assertThat(row.next()).isTrue();
      return String.valueOf(row.getString(1));
    }
  }
}
