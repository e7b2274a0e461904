package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Refused;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How agents are received. */
@ExpectedLogs("^(WARN|ERROR) ")
class ReceptionTest {
  @TempDir Path folder;

  private void rename(String from, String to) {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("imker.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE " + from + " RENAME TO " + to);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A refusal ends an agent, and somebody has to start it again. */
  @Test
  void an_agent_that_comes_while_the_database_cannot_be_read_is_not_refused() {
    try (TestServer server = TestServer.start(folder);
        Intruder agent =
            new Intruder(
                server.running().joinToken(),
                (hello, challenge) -> {
                  rename("setting", "away");
                  return Intruder.signed(hello, challenge, "key");
                })) {
      agent.awaitHungUp();
      rename("away", "setting");
      assertThat(agent.heard()).noneMatch(Refused.class::isInstance);
      assertThat(agent.closed.getFirst().toString()).contains("could not be read");
    }
  }
}
