package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code imker up}: everything in one process. */
class UpTest {
  private static final Pattern LOGIN = Pattern.compile("(https?://\\S+/login\\S*)");
  private static final Pattern JOIN = Pattern.compile("imker agent --join (\\S+)");

  @TempDir Path folder;

  @Test
  void up_prints_page_login_link_and_join_command_and_runs_work() throws Exception {
    int port = PoolFixture.freePort();
    Path home = folder.resolve("home");
    ImkerProcess up =
        ImkerProcess.start(home, Map.of(), "up", "--port", Integer.toString(port), "--slots", "2");
    try {
      await().atMost(Duration.ofSeconds(60)).until(() -> JOIN.matcher(up.out()).find());
      assertThat(up.out()).contains("http://127.0.0.1:" + port);
      assertThat(ImkerProcess.run(home, "run", "--wait", "--", "echo", "hi").out())
          .isEqualTo("hi\n");
      assertThat(logIn(up.out())).isBetween(200, 399);
      Matcher join = JOIN.matcher(up.out());
      assertThat(join.find()).isTrue();
      ImkerProcess agent =
          ImkerProcess.start(
              folder.resolve("second"),
              Map.of(),
              "agent",
              "--join",
              join.group(1),
              "--name",
              "second");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> ImkerProcess.run(home, "nodes").out().contains("second"));
      assertThat(agent.interrupt()).isLessThanOrEqualTo(130);
      assertThat(up.interrupt()).isLessThanOrEqualTo(130);
      assertThat(up.err()).doesNotContain("\tat ");
    } finally {
      if (up.isAlive()) {
        up.kill();
      }
    }
  }

  @Test
  void an_address_other_than_loopback_gets_tls_and_agents_check_the_certificate() {
    int port = PoolFixture.freePort();
    Path home = folder.resolve("home");
    ImkerProcess up =
        ImkerProcess.start(
            home,
            Map.of(),
            "server",
            "--listen",
            "0.0.0.0",
            "--no-announce",
            "--port",
            Integer.toString(port),
            "--json");
    ImkerProcess agent = null;
    try {
      await().atMost(Duration.ofSeconds(60)).until(() -> up.out().contains("\n"));
      String join = PoolFixture.json(up.out()).path("joinToken").asText();
      assertThat(PoolFixture.json(up.out()).path("url").asText()).startsWith("https://");
      agent = ImkerProcess.start(folder.resolve("agent"), Map.of(), "agent", "--join", join);
      ImkerProcess.Finished run = ImkerProcess.run(home, "run", "--wait", "--", "echo", "secret");
      assertThat(run.out()).as(run.err()).isEqualTo("secret\n");
    } finally {
      up.kill();
      if (agent != null) {
        agent.kill();
      }
    }
  }

  private static int logIn(String printed) throws IOException, InterruptedException {
    Matcher login = LOGIN.matcher(printed);
    assertThat(login.find()).as(printed).isTrue();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(login.group(1))).build(), BodyHandlers.discarding())
          .statusCode();
    }
  }
}
