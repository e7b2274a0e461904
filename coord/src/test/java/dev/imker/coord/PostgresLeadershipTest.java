package dev.imker.coord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.CuttingProxy;
import dev.imker.testdb.TestPostgres;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@ExpectedLogs({
  "The connection waiting for leadership is dead",
  "The leadership database is unreachable",
  "The leader has been silent"
})
class PostgresLeadershipTest extends LeadershipContract {
  /** A test on a busy machine may stand still for long, and must not lose leadership by that. */
  private static final LeaseTimes PATIENT = new LeaseTimes(100, 120_000);

  private static final LeaseTimes QUICK = new LeaseTimes(100, 1500);

  private final String url = TestPostgres.freshDatabase();

  private Connection connect(String application, Duration answerWithin) throws SQLException {
    return connect(url, application, answerWithin);
  }

  private static Connection connect(String url, String application, Duration answerWithin)
      throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setClientInfo("ApplicationName", application);
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answerWithin.toMillis()));
    return connection;
  }

  @Override
  Leadership leadership(String title) {
    return new PostgresLeadership(this::connect, title, PATIENT);
  }

  @Test
  void leader_that_stands_still_is_followed_by_the_next() throws Exception {
    try (Connection frozen = DriverManager.getConnection(url);
        Connection other = DriverManager.getConnection(url)) {
      LeadershipStatements.create(other);
      LeadershipStatements.awaitLock(frozen);
      LeadershipStatements.take(other, "token of the frozen", "frozen", 750);
      try (Candidate next =
          new Candidate("next", new PostgresLeadership(this::connect, "next", QUICK), order)) {
        awaitLeader(next);
        assertThat(LeadershipStatements.renew(other, "token of the frozen", 750)).isFalse();
        assertThat(frozen.isValid(5)).isFalse();
      }
    }
  }

  @Test
  void server_starts_beside_the_leader_while_somebody_dumps_the_database() throws Exception {
    Candidate a = join("a");
    awaitLeader(a);
    try (Connection dump = DriverManager.getConnection(url);
        Statement statement = dump.createStatement()) {
      dump.setAutoCommit(false);
      statement.execute("LOCK TABLE leader_lease, leader_candidate IN ACCESS SHARE MODE");
      queueUp("b", a);
      assertThat(a.leads()).isTrue();
    }
  }

  @Test
  void lease_that_an_earlier_version_has_made_gets_a_length() throws Exception {
    try (Connection own = DriverManager.getConnection(url);
        Statement statement = own.createStatement()) {
      LeadershipStatements.create(own);
      statement.execute("ALTER TABLE leader_lease DROP COLUMN lease_millis");
      LeadershipStatements.create(own);
      LeadershipStatements.take(own, "token", "title", 750);
      assertThat(LeadershipStatements.renew(own, "token", 700)).isTrue();
    }
  }

  @Test
  void outage_of_the_database_changes_no_leader_that_is_alone() throws Exception {
    Candidate a = join("a");
    awaitLeader(a);
    endSessions();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(a.leadership.leader()).contains("a"));
    Candidate b = queueUp("b", a);
    assertThat(b.leads() && a.leads()).isFalse();
    a.close();
    awaitLeader(b);
  }

  @Test
  void one_of_several_leads_after_an_outage() throws Exception {
    Candidate a = join("a");
    awaitLeader(a);
    Candidate b = queueUp("b", a);
    endSessions();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(a.leads()).isNotEqualTo(b.leads());
              Candidate leader = a.leads() ? a : b;
              Candidate other = a.leads() ? b : a;
              assertThat(leader.leadership.leader()).contains(leader.name);
              assertThat(leader.leadership.successors()).contains(other.name);
            });
    Candidate leader = a.leads() ? a : b;
    Candidate other = a.leads() ? b : a;
    leader.close();
    awaitLeader(other);
  }

  @Test
  void candidate_whose_connection_was_forgotten_on_the_way_queues_again() throws Exception {
    Candidate a = join("a");
    awaitLeader(a);
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    try (CuttingProxy firewall = CuttingProxy.to(port)) {
      DatabaseAccess through =
          (application, answerWithin) ->
              connect(
                  application.equals("imker candidate")
                      ? url.replace(":" + port + "/", ":" + firewall.port() + "/")
                      : url,
                  application,
                  answerWithin);
      try (Candidate b = new Candidate("b", new PostgresLeadership(through, "b", PATIENT), order)) {
        await().atMost(PATIENCE).until(() -> waiting() == 1);
        firewall.swallowAnswers(true);
        a.close();
        await().atMost(PATIENCE).until(() -> waiting() == 0);
        firewall.swallowAnswers(false); // of the former connection, all answers are lost
        awaitLeader(b);
      }
    }
  }

  private int waiting() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT COUNT(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                    + " WHERE locktype = 'advisory' AND NOT granted"
                    + " AND a.datname = current_database()")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void leader_without_its_database_does_not_lead_any_more() throws Exception {
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    try (CuttingProxy network = CuttingProxy.to(port)) {
      String through = url.replace(":" + port + "/", ":" + network.port() + "/");
      DatabaseAccess cut =
          (application, answerWithin) -> connect(through, application, answerWithin);
      try (Candidate a = new Candidate("a", new PostgresLeadership(cut, "a", QUICK), order)) {
        awaitLeader(a);
        network.refuse(true);
        await().atMost(PATIENCE).until(() -> !a.leads());
        network.refuse(false);
        awaitLeader(a);
      }
    }
  }

  private void endSessions() {
    TestPostgres.execute(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE application_name LIKE 'imker%' AND datname = current_database()");
  }
}
