package dev.imker.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.imker.cli.api.ApiClient;
import dev.imker.client.context.PoolContext;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

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
    assertThat(err("run", "--env", "B", "--", "true")).contains("--env B: write it as KEY=VALUE.");
    assertThat(err("sim", "pool.xml", "--seeds", "0")).contains("--seeds must be from 1 to");
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
      assertThat(ask(url)).contains("did not answer like an Imker server");
      status[0] = 200;
      assertThat(ask(url)).contains("did not answer like an Imker server");
      assertThat(ask(url.replace("http:", "https:"))).contains("does not use TLS");
    } finally {
      other.stop(0);
    }
  }

  @Test
  void words_of_a_server_never_steer_the_terminal() throws IOException {
    HttpServer hostile =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hostile.createContext(
        "/",
        exchange -> {
          // Erases the screen, and writes from right to left.
          byte[] answer =
              "{\"error\":{\"code\":\"%1$s\",\"message\":\"%1$s\",\"field\":\"%1$s\"}}"
                  .formatted("\\u001b[2J\\u202egnp.exe")
                  .getBytes(UTF_8);
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(400, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    hostile.start();
    String url = "http://127.0.0.1:" + hostile.getAddress().getPort();
    try {
      for (String command :
          List.of(
              "ls",
              "show 1",
              "cancel 1",
              "rm 1",
              "retry 1",
              "logs 1.1",
              "nodes",
              "servers",
              "users",
              "tokens",
              "join",
              "libraries",
              "audit",
              "usage",
              "settings",
              "board",
              "retention",
              "export 1 --output /dev/null",
              "whoami",
              "login --link",
              "run --wait -- true")) {
        List<String> all = new ArrayList<>(List.of(command.split(" ", -1)));
        int dashes = all.indexOf("--");
        all.addAll(dashes < 0 ? all.size() : dashes, List.of("--server", url, "--token", "t"));
        ImkerProcess.Finished finished = CommandsInProcess.run(all.toArray(String[]::new));
        assertThat(finished.exitCode()).as(command).isNotZero();
        assertThat(finished.err() + finished.out())
            .as(command)
            .contains("gnp.exe")
            .doesNotContain("\u001b")
            .doesNotContain("\u202e");
      }
    } finally {
      hostile.stop(0);
    }
  }

  private static void inSources(BiConsumer<Path, String> check) throws IOException {
    for (String module : List.of("server", "model", "jobfile", "store", "core", "agent", "cli")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          check.accept(file, Files.readString(file));
        }
      }
    }
  }

  @Test
  void messages_speak_of_commands_and_not_of_routes() throws IOException {
    Pattern route = Pattern.compile("\"[^\"\n]* /api/v1[^\"\n]*\"");
    inSources(
        (file, text) ->
            assertThat(route.matcher(text).results().map(MatchResult::group))
                .as(file.toString())
                .isEmpty());
  }

  @Test
  void commands_that_messages_name_exist() throws IOException {
    Pattern named = Pattern.compile("'imker ([a-z][a-z -]*)");
    inSources(
        (file, text) ->
            named
                .matcher(text)
                .results()
                .forEach(
                    found ->
                        assertThat(exists(found.group(1)))
                            .as(file + ": " + found.group())
                            .isTrue()));
  }

  private static boolean exists(String words) {
    CommandLine command = Main.commandLine();
    for (String word : words.strip().split(" ", -1)) {
      CommandLine next = command.getSubcommands().get(word);
      if (next == null) {
        return command.getSubcommands().isEmpty() || word.startsWith("-");
      }
      command = next;
    }
    return true;
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
      assertThat(ask("http://127.0.0.1:" + socket.getLocalPort())).contains("use https instead");
    }
    assertThat(ask("http://127.0.0.1:1")).contains("No Imker server answers");
  }

  @Test
  void a_server_without_tls_that_answers_at_once_is_told_too() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                while (!socket.isClosed()) {
                  try (var connection = socket.accept()) {
                    connection.getInputStream().read();
                    connection
                        .getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
                    connection.shutdownOutput();
                    connection.getInputStream().transferTo(OutputStream.nullOutputStream());
                  } catch (IOException e) {
                    return;
                  }
                }
              });
      assertThat(ask("https://127.0.0.1:" + socket.getLocalPort()))
          .contains("does not use TLS. Use http instead");
    }
  }

  @Test
  void a_fingerprint_that_is_none_is_told_with_where_to_get_it() {
    for (String wrong : List.of("zz", "ab", "g".repeat(64))) {
      assertThatThrownBy(
              () -> new ApiClient(new PoolContext(URI.create("https://127.0.0.1:1"), "t", wrong)))
          .isInstanceOf(ImkerException.class)
          .hasMessageContaining("64 hexadecimal digits")
          .hasMessageContaining("imker up --json");
    }
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
          .hasMessageContaining("context.json does not contain the address of a server")
          .hasMessageContaining("imker login");
    }
  }

  @Test
  void what_other_systems_call_it_is_answered_with_our_word(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("job.yaml");
    Files.writeString(file, "imker: 1\ncommand: x\nneeds: {cpus: 4}\n");
    assertThat(CommandsInProcess.run("submit", "--check", file.toString()).err())
        .contains("Unknown field 'cpus'. Did you mean cores?");
    Files.writeString(file, "imker: 1\ncommand: x\nafter: first\n");
    assertThat(CommandsInProcess.run("submit", "--check", file.toString()).err())
        .contains("There is no stage 'first' in this job. It has no stages with names.")
        .contains("{tasks: first}");
  }

  @Test
  void a_join_token_that_was_cut_or_mangled_is_told_from_one_of_another_version() {
    assertThat(err("agent", "--join", "imker-join-garbage")).contains("it is cut off or damaged");
    assertThat(err("agent", "--join", "garbage")).contains("does not start with imker-join-");
  }

  @Test
  void a_garbage_context_file_is_no_obstacle_where_all_is_said(@TempDir Path folder)
      throws IOException {
    Files.writeString(folder.resolve("context.json"), "garbage");
    Map<String, String> home = Map.of("IMKER_HOME", folder.toString());
    assertThat(PoolContext.find("http://127.0.0.1:1", "t", home).token()).isEqualTo("t");
    assertThatThrownBy(() -> PoolContext.find(null, "t", home)).hasMessageContaining("Delete it");
  }

  @Test
  void a_garbage_database_file_is_named_with_the_way_back(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("imker.db"), "garbage ".repeat(2000));
    assertThat(err("server", "--port", "0", "--data", folder.toString()))
        .contains("imker.db")
        .contains("not an Imker database")
        .contains("imker restore");
  }

  @Test
  void an_address_or_port_that_cannot_be_had_is_told_with_the_option(@TempDir Path folder) {
    String data = folder.toString();
    assertThat(err("server", "--listen", "192.0.2.1", "--port", "0", "--data", data))
        .contains("192.0.2.1 is not an address of this machine")
        .contains("--listen");
    assertThat(err("server", "--port", "99999", "--data", data)).contains("65535");
    assertThat(err("server", "--listen", "nowhere.invalid", "--port", "0", "--data", data))
        .contains("There is no host 'nowhere.invalid' to listen on")
        .contains("--listen")
        .doesNotContain("Exception");
  }

  @Test
  void a_data_folder_that_cannot_be_made_is_told_with_the_reason() {
    assertThat(err("server", "--port", "0", "--data", "/proc/imker"))
        .contains("Cannot create the data folder /proc/imker (")
        .contains("--data DIR");
  }

  @Test
  void a_build_without_a_network_is_told(@TempDir Path folder) throws Exception {
    Path root = Path.of(System.getProperty("imker.root"));
    Path launcher = Files.copy(root.resolve("imker"), folder.resolve("imker"));
    Files.writeString(folder.resolve("pom.xml"), "<project/>");
    Path maven = Files.createDirectory(folder.resolve("bin")).resolve("mvn");
    Files.writeString(
        maven,
        "#!/bin/sh\necho '[ERROR] Could not transfer artifact: Unknown host repo'\nexit 1\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    ProcessBuilder builder = new ProcessBuilder("bash", launcher.toString(), "--help");
    builder.environment().put("PATH", maven.getParent() + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(2);
    assertThat(said).contains("The first build needs the internet once");
  }

  @Test
  void errors_are_red_where_colours_are_wanted_and_only_there() {
    assertThat(CommandsInProcess.run("--color", "always", "show", "--server", "x", "1").err())
        .startsWith("\033[1;31mimker:\033[0m 'x' is not a server address.");
    assertThat(err("show", "--server", "x", "1")).doesNotContain("\033");
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
