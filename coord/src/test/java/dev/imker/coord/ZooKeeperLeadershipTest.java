package dev.imker.coord;

import static org.awaitility.Awaitility.await;

import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZooKeeperLeadershipTest extends LeadershipContract {
  private static final int TICK_MILLIS = 1000;

  /** A test on a busy machine may stand still for long, and must not lose leadership by that. */
  private static final int PATIENT_MILLIS = 20_000;

  private static final int QUICK_MILLIS = 2000;

  private TestingServer server;

  @BeforeEach
  void start_server() throws Exception {
    server = new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, TICK_MILLIS, -1), true);
  }

  @AfterEach
  void stop_server() throws Exception {
    close_all();
    server.close();
  }

  @Override
  Leadership leadership(String title) {
    return new ZooKeeperLeadership(server.getConnectString(), PATIENT_MILLIS, title);
  }

  @Test
  void leadership_ends_with_the_session_and_comes_back() throws Exception {
    try (Candidate a =
        new Candidate(
            "a", new ZooKeeperLeadership(server.getConnectString(), QUICK_MILLIS, "a"), order)) {
      awaitLeader(a);
      server.stop();
      await().atMost(PATIENCE).until(() -> !a.leads());
      server.restart();
      awaitLeader(a);
    }
  }

  @Test
  void a_folder_that_is_not_there_yet_is_made() {
    String folder = server.getConnectString() + "/pools/north";
    try (Candidate a =
        new Candidate("a", new ZooKeeperLeadership(folder, PATIENT_MILLIS, "a"), order)) {
      awaitLeader(a);
    }
  }

  @Test
  void pools_in_different_folders_have_leaders_of_their_own() {
    String address = server.getConnectString();
    try (Candidate north =
            new Candidate(
                "n", new ZooKeeperLeadership(address + "/north", PATIENT_MILLIS, "n"), order);
        Candidate south =
            new Candidate(
                "s", new ZooKeeperLeadership(address + "/south", PATIENT_MILLIS, "s"), order)) {
      awaitLeader(north);
      awaitLeader(south);
    }
  }
}
