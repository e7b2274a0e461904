package dev.imker.coord.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.coord.CoordinationException;
import dev.imker.coord.UnsureException;
import dev.imker.coord.ZooKeeperAddress;
import dev.imker.testdb.CuttingProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a change whose answer gets lost on the way. */
class NodesTest {
  private static final byte[] DATA = {1};

  @TempDir Path folder;
  private EmbeddedZooKeeper zookeeper;
  private CuttingProxy proxy;
  private CuratorFramework direct;
  private CuratorFramework cut;

  @BeforeEach
  void start() throws Exception {
    zookeeper = EmbeddedZooKeeper.start(folder);
    String connect = zookeeper.connect();
    String port = connect.replaceAll(".*:", "");
    proxy = CuttingProxy.to(Integer.parseInt(port));
    direct = client(connect);
    cut = client(connect.replaceAll(port + "$", Integer.toString(proxy.port())));
  }

  @AfterEach
  void stop() {
    cut.close();
    direct.close();
    proxy.close();
    zookeeper.close();
  }

  @Test
  void who_does_not_know_the_password_sees_and_changes_nothing() throws Exception {
    direct.create().creatingParentsIfNeeded().forPath("/jobs/1", DATA);
    String stranger = zookeeper.connect().replaceAll(".*@", "");
    for (String connect : List.of(stranger, "imker:guess@" + stranger)) {
      try (CuratorFramework other = client(connect)) {
        assertThatThrownBy(() -> other.getChildren().forPath("/"))
            .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> other.getData().forPath("/jobs/1"))
            .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> other.create().forPath("/mine", DATA))
            .isInstanceOf(KeeperException.NoAuthException.class);
      }
    }
    assertThat(Files.getPosixFilePermissions(folder.resolve("password")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  private static CuratorFramework client(String connect) {
    CuratorFramework client =
        ZooKeeperAddress.parse(connect)
            .client()
            .sessionTimeoutMs(3_000)
            .connectionTimeoutMs(3_000)
            .retryPolicy(Nodes.unlessOnce(new RetryNTimes(600, 100)))
            .build();
    client.start();
    return client;
  }

  /** Asks while no answer comes through, and cuts the connection when the change was made. */
  private static void loseAnswer(CuttingProxy proxy, Callable<Boolean> made, Runnable change)
      throws Exception {
    proxy.swallowAnswers(true);
    CompletableFuture<Void> changing = CompletableFuture.runAsync(change);
    await().atMost(Duration.ofSeconds(60)).until(made);
    proxy.refuse(true);
    proxy.swallowAnswers(false);
    proxy.refuse(false);
    changing.get(60, TimeUnit.SECONDS);
  }

  @Test
  void write_whose_answer_is_lost_is_unsure_and_was_done_once() {
    Nodes nodes = new Nodes(cut);
    Nodes seen = new Nodes(direct);
    nodes.create("/x", DATA);
    assertThatThrownBy(
            () ->
                loseAnswer(
                    proxy,
                    () -> seen.read("/x").orElseThrow().version() == 1,
                    () -> nodes.write("/x", DATA, 0)))
        .hasCauseInstanceOf(UnsureException.class);
    assertThat(seen.read("/x").orElseThrow().version()).isEqualTo(1);
  }

  @Test
  void what_was_taken_and_got_lost_is_not_taken_for_somebody_elses() {
    Nodes nodes = new Nodes(cut);
    Nodes seen = new Nodes(direct);
    nodes.create("/x", DATA);
    assertThatThrownBy(() -> loseAnswer(proxy, () -> !seen.exists("/x"), () -> nodes.remove("/x")))
        .hasCauseInstanceOf(UnsureException.class);
  }

  @Test
  void what_is_appended_is_there_once_even_if_the_answer_is_lost() throws Exception {
    Nodes nodes = new Nodes(cut);
    nodes.create("/q", DATA);
    Nodes seen = new Nodes(direct);
    loseAnswer(
        proxy, () -> seen.children("/q").names().size() == 1, () -> nodes.append("/q/i_", DATA));
    assertThat(seen.children("/q").names()).hasSize(1);
  }

  @Test
  void without_a_connection_nothing_is_done_and_that_is_known() throws Exception {
    Nodes nodes = new Nodes(cut);
    nodes.create("/x", DATA);
    proxy.refuse(true);
    await().atMost(Duration.ofSeconds(60)).until(() -> !cut.getZookeeperClient().isConnected());
    assertThatThrownBy(() -> nodes.write("/x", DATA, 0))
        .isInstanceOf(CoordinationException.class)
        .isNotInstanceOf(UnsureException.class)
        .hasMessageContaining("nothing was done");
    assertThat(new Nodes(direct).read("/x").orElseThrow().version()).isZero();
  }
}
