package dev.imker.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.imker.cli.api.PoolContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command says when something is wrong: what, where, and what to do. */
class MessagesTest {
  private static String err(String... arguments) {
    ImkerProcess.Finished finished = CommandsInProcess.run(arguments);
    assertThat(finished.exitCode()).isNotZero();
    assertThat(finished.err()).startsWith("imker: ").doesNotContain("\tat ");
    return finished.err();
  }

  private static String ask(String url) {
    return err("ls", "--server", url, "--token", "t");
  }

  @Test
  void unknown_commands_and_options_are_answered_with_the_near_one() {
    assertThat(err("rn")).contains("has no command 'rn'").contains("Did you mean run?");
    assertThat(err("run", "--wiat", "--", "true"))
        .contains("has no option --wiat")
        .contains("Did you mean --wait?");
    assertThat(err("users", "ad")).contains("Did you mean add?");
  }

  @Test
  void values_of_the_wrong_type_are_told_in_plain_words() {
    assertThat(err("run", "--priority", "2s", "--", "true")).contains("is not a whole number");
    assertThat(err("up", "--lease", "soon")).contains("90s, 30m, 2h");
  }

  @Test
  void something_else_that_answers_is_not_taken_for_a_server() throws IOException {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    int[] status = {404};
    other.createContext(
        "/",
        exchange -> {
          byte[] page = "<html>hello</html>".getBytes(UTF_8);
          exchange.sendResponseHeaders(status[0], page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    other.start();
    try {
      String url = "http://127.0.0.1:" + other.getAddress().getPort();
      assertThat(ask(url)).contains("is not an Imker server");
      status[0] = 200;
      assertThat(ask(url)).contains("is not an Imker server");
      assertThat(ask(url.replace("http:", "https:"))).contains("does not use TLS");
    } finally {
      other.stop(0);
    }
  }

  @Test
  void a_server_that_wants_tls_is_told_from_one_that_is_away() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                while (!socket.isClosed()) {
                  try (var connection = socket.accept()) {
                    connection.getInputStream().read();
                    connection.shutdownOutput();
                  } catch (IOException e) {
                    return;
                  }
                }
              });
      assertThat(ask("http://127.0.0.1:" + socket.getLocalPort())).contains("write https instead");
    }
    assertThat(ask("http://127.0.0.1:1")).contains("No Imker server answers");
  }

  @Test
  void an_unknown_host_is_named() {
    assertThat(ask("http://nowhere.invalid:7070")).contains("There is no host 'nowhere.invalid'");
  }

  @Test
  void a_context_file_with_garbage_is_named_with_what_to_do(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("context.json");
    for (String garbage : new String[] {"garbage", "{}", "{\"url\":\"x\"}"}) {
      Files.writeString(file, garbage);
      assertThatThrownBy(() -> PoolContext.read(file))
          .hasMessageContaining("context.json does not say how to reach a server")
          .hasMessageContaining("imker login");
    }
  }

  @Test
  void shells_can_complete() {
    assertThat(CommandsInProcess.run("completion", "bash").out()).contains("_complete_imker");
    assertThat(CommandsInProcess.run("completion", "fish").out())
        .contains("-a run")
        .contains("__fish_seen_subcommand_from run' -l wait");
    assertThat(err("completion", "tcsh")).contains("bash, zsh and fish");
  }

  @Test
  void the_old_name_of_libraries_is_still_understood() {
    assertThat(CommandsInProcess.run("tasks", "--help").out()).contains("imker libraries");
  }
}
