package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.agent.AgentSettings;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.connection.JoinToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The day's work of an analyst at a reduced size: files in a folder, machines that die. */
class ChartPoolTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int FILES = 2;

  @TempDir Path folder;

  private Path drop() {
    return folder.resolve("drop");
  }

  private void put(String name, String text) throws IOException {
    Path inbox = Files.createDirectories(drop().resolve("inbox"));
    Path half = Files.writeString(inbox.resolve(name + ".part"), text);
    Files.move(half, inbox.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String backtest(int bars) {
    return """
    kind: backtest
    data: {set: daily}
    strategy:
      enter: {crossed-up: [close, {sma: %d}]}
      exit: {crossed-down: [close, {sma: %d}]}
    """
        .formatted(bars, bars);
  }

  private static final String SEARCH =
      """
      kind: optimise
      tasks: 8
      data: {set: daily}
      strategy:
        indicators: {quick: {ema: {from: 2, to: 101}}, calm: {sma: {from: 102, to: 401}}}
        enter: {crossed-up: [quick, calm]}
        exit: {crossed-down: [quick, calm]}
      report: {formats: [json]}
      """;

  @Test
  void analyses_put_into_the_folder_are_done_though_an_agent_and_the_server_are_killed()
      throws Exception {
    try (PoolFixture pool =
        PoolFixture.start(folder, "--drop", drop().toString(), "--lease", "3")) {
      Path candles = folder.resolve("candles");
      run(pool, "chart", "data", "gen", candles.toString(), "--markets", "4", "--years", "10");
      run(pool, "chart", "data", "put", "daily", candles.toString());
      ImkerProcess doomed = pool.addAgent("doomed", 1);
      pool.awaitAgents(1);
      put("search.yaml", SEARCH);
      for (int i = 0; i < FILES; i++) {
        put("test-" + i + ".yaml", backtest(20 + i));
      }
      put(
          "wrong.yaml",
          "kind: backtest\ndata: {set: dayly}\nstrategy: {enter: always, exit: never}\n");
      try (ApiClient api = pool.api()) {
        await().atMost(PATIENCE).until(() -> running(api) > 0);
      }
      doomed.kill();
      pool.killServer();
      pool.restartServer();
      try (RunningAgent steady = ImkerAgent.start(steady(pool))) {
        for (int i = 0; i < FILES; i++) {
          String name = "test-" + i;
          await().atMost(PATIENCE).until(() -> isDone(name));
          assertThat(drop().resolve("results/" + name + "/report.xlsx")).isNotEmptyFile();
          assertThat(drop().resolve("results/" + name + "/report.html")).isNotEmptyFile();
          assertThat(drop().resolve("results/" + name + "/pictures")).isNotEmptyDirectory();
        }
        await().atMost(PATIENCE).until(() -> isDone("search"));
        await().atMost(PATIENCE).until(() -> Files.exists(drop().resolve("failed/wrong.yaml")));
        assertThat(steady.state()).isNotNull();
        assertReportOnTop(pool);
      }
      assertThat(drop().resolve("failed/wrong.yaml.txt")).content().contains("daily");
      assertSameAsAlone(pool, candles);
    }
  }

  /** Its tasks do not yield to whatever else this machine is busy with. */
  private AgentSettings steady(PoolFixture pool) {
    JoinToken join = JoinToken.parse(pool.announcement().path("joinToken").asText());
    return AgentSettings.of(join, folder.resolve("steady")).withSlots(2).withLowestPriority(false);
  }

  private boolean isDone(String name) throws IOException {
    Path failed = drop().resolve("failed/" + name + ".yaml.txt");
    assertThat(failed).as(Files.exists(failed) ? Files.readString(failed) : "").doesNotExist();
    return Files.exists(drop().resolve("done/" + name + ".yaml"));
  }

  private static int running(ApiClient api) {
    return api.get("/api/v1/pool").path("tasks").path("running").asInt();
  }

  private void assertSameAsAlone(PoolFixture pool, Path candles) throws IOException {
    Path file = folder.resolve("search.yaml");
    Files.writeString(file, SEARCH.replace("set: daily", "folder: " + candles));
    Path alone = folder.resolve("alone");
    run(pool, "chart", "run", file.toString(), "--out", alone.toString());
    JsonNode ours =
        PoolFixture.json(Files.readString(drop().resolve("results/search/result.json")));
    JsonNode theirs = PoolFixture.json(Files.readString(alone.resolve("result.json")));
    assertThat(ours).isEqualTo(theirs);
    assertThat(ours.at("/surface/worth")).hasSize(30_000);
  }

  private void assertReportOnTop(PoolFixture pool) throws IOException {
    Path file = Files.writeString(folder.resolve("own.yaml"), SEARCH);
    Path fetched = folder.resolve("fetched");
    run(pool, "submit", file.toString(), "--wait", "--results", fetched.toString());
    assertThat(fetched.resolve("result.json")).isNotEmptyFile();
    assertThat(fetched.resolve(".parts/0001/stdout")).exists();
    try (var top = Files.list(fetched)) {
      assertThat(top.map(entry -> entry.getFileName().toString()))
          .containsExactlyInAnyOrder("result.json", "prices", "results.csv", ".parts");
    }
  }

  private static void run(PoolFixture pool, String... arguments) {
    ImkerProcess.Finished finished = pool.imker(arguments);
    assertThat(finished.exitCode()).as(finished.err()).isZero();
  }
}
