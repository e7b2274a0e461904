package dev.imker.coord.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.coord.CoordinationException;
import dev.imker.coord.UnsureException;
import dev.imker.coord.ZooKeeperAddress;
import dev.imker.testdb.CuttingProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a change whose answer gets lost on the way. */
class NodesTest {
  private static final byte[] DATA = {1};

  private TestingServer zookeeper;
  private CuttingProxy proxy;
  private CuratorFramework direct;
  private CuratorFramework cut;

  @BeforeEach
  void start() throws Exception {
    zookeeper = new TestingServer(true);
    String connect = zookeeper.getConnectString();
    String port = connect.replaceAll(".*:", "");
    proxy = CuttingProxy.to(Integer.parseInt(port));
    direct = client(connect);
    cut = client(connect.replaceAll(port + "$", Integer.toString(proxy.port())));
  }

  @AfterEach
  void stop() throws Exception {
    cut.close();
    direct.close();
    proxy.close();
    zookeeper.close();
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
  void what_bears_a_mark_happens_once_even_if_the_answer_is_lost() throws Exception {
    Nodes nodes = new Nodes(cut);
    Nodes seen = new Nodes(direct);
    ValueNodes values = new ValueNodes(nodes, new Answers(nodes));
    Answers.Question question =
        new Answers.Question("1", new Member("1.1", "1-1-1"), new Once("channel", 1), 7);
    seen.create("/c", "0".getBytes(StandardCharsets.US_ASCII));
    seen.create(question.answer().replaceFirst("/[^/]*$", ""), DATA);
    List<CuratorOp> change =
        List.of(
            nodes.writing("/c", "5".getBytes(StandardCharsets.US_ASCII), 0),
            nodes.creating(question.answer(), question.told(5, 1, new byte[0]).bytes()));
    loseAnswer(
        proxy,
        () -> seen.read("/c").orElseThrow().version() == 1,
        () -> assertThat(nodes.together(change)).as("tried again, in vain").isFalse());
    assertThat(values.add("/c", 5, question).value()).isEqualTo(5);
    assertThat(values.counted("/c").version()).isEqualTo(1);
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
