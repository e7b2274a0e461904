package dev.imker.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The first hour of a new user, played with real processes: nobody is root, nobody has a locale,
 * TLS and the sandbox are on as they come, and a second machine sits behind a router. Its plug is
 * pulled before the other steps and put in again 90 seconds later, long after its leases ran out.
 * Needs root to make the network; skipped, saying why, where that is not permitted.
 */
@EnabledOnOs(OS.LINUX)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TrialTest {
  private static final int USER = 12345;
  private static final Duration UNPLUGGED = Duration.ofSeconds(90);
  private static final Pattern JOIN = Pattern.compile("imker agent --join (\\S+)");

  private static Path place;
  private static HomeNetwork network;
  private static ImkerProcess up;
  private static ImkerProcess second;
  private static long unpluggedNanos;

  /** What the tasks on the second machine wrote first, before the plug was pulled. */
  private static final List<String> MARKS = new ArrayList<>();

  @BeforeAll
  static void two_machines() throws Exception {
    Optional<HomeNetwork> built = HomeNetwork.build();
    assumeTrue(built.isPresent(), "network namespaces are not permitted here");
    network = built.orElseThrow();
    place = Files.createTempDirectory("imker-trial-");
    own(place);
    up =
        start(
            network.onServer(),
            "user",
            "up",
            "--listen",
            HomeNetwork.SERVER_ADDRESS,
            "--slots",
            "2");
    await().atMost(Duration.ofMinutes(1)).until(() -> JOIN.matcher(up.out()).find());
    assertThat(up.out()).contains("https://" + HomeNetwork.SERVER_ADDRESS + ":7070");
    Matcher join = JOIN.matcher(up.out());
    assertThat(join.find()).isTrue();
    second =
        start(
            network.atHome(),
            "lender",
            "agent",
            "--join",
            join.group(1),
            "--name",
            "second",
            "--slots",
            "2");
    await().atMost(Duration.ofMinutes(1)).until(() -> second.out().contains("connected to pool"));
    pull_the_plug();
  }

  /** Two tasks run there: one will end while nobody can be told, one after the plug is back. */
  private static void pull_the_plug() throws Exception {
    Path file =
        write(
            "plug.yaml",
            """
            imker: 1
            name: plug
            command: cat /proc/sys/kernel/random/uuid; sleep ${s}; echo slept ${s}
            sweep: {s: [20, 95]}
            pin: second
            speculative: false
            """);
    succeed("submit", file.toString());
    for (String task : List.of("plug.1", "plug.2")) {
      MARKS.add(
          await()
              .atMost(Duration.ofMinutes(1))
              .until(() -> imker("logs", task).out(), out -> out.matches("[-0-9a-f]{36}\n")));
    }
    network.plug(false);
    unpluggedNanos = System.nanoTime();
  }

  @AfterAll
  static void tidy_up() throws IOException {
    if (second != null) {
      second.kill();
    }
    if (up != null) {
      up.kill();
    }
    if (network != null) {
      network.close();
    }
    if (place != null) {
      dev.imker.agent.internal.work.WorkArea.deleteTree(place);
    }
  }

  @Test
  void the_lines_of_the_readme_work() throws IOException {
    assertThat(succeed("run", "--wait", "--", "echo", "hello").out()).isEqualTo("hello\n");
    succeed("run", "--wait", "--results", "out", "--", "echo {a,b,c} {1..4} > result.txt");
    assertThat(home().resolve("out/0012/result.txt")).hasContent("c 4");
    assertThat(succeed("run", "--wait", "--", "echo {#}: {}", ":::", "red", "light blue").out())
        .contains("1: red\n")
        .contains("2: light blue\n");
  }

  @Test
  void nobody_is_root_and_tasks_see_nothing_of_the_pool() {
    assertThat(succeed("run", "--wait", "--", "id", "-u").out()).isEqualTo(USER + "\n");
    assertThat(succeed("run", "--wait", "--", "ls -A " + home() + "/.imker 2>&1 || true").out())
        .doesNotContain("data");
    assertThat(succeed("doctor").out()).contains("sandbox");
  }

  @Test
  void a_sweep_fills_folders_named_by_its_parameters() throws IOException {
    succeed(
        "run",
        "--results",
        "by/{seed}-{rate}",
        "--sweep",
        "seed=1..3",
        "--sweep",
        "rate=0.1,0.5",
        "--",
        "echo $(( {seed} * 2 )) > twice.txt; echo {rate}");
    assertThat(home().resolve("by/3-0.5/twice.txt")).hasContent("6");
    assertThat(home().resolve("by/3-0.5/stdout")).hasContent("0.5");
    assertThat(home().resolve("by/results.csv")).content().hasLineCount(7).contains("seed");
  }

  @Test
  void commands_say_how_far_they_are() throws IOException {
    Path file =
        write(
            "far.yaml",
            """
            imker: 1
            name: far
            command: ${how}; sleep 600
            sweep:
              how:
                - echo imker:progress 0.25 reading
                - echo 75% writing > "$IMKER_PROGRESS"
            """);
    succeed("submit", file.toString());
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(imker("show", "far.1").out()).contains("progress   25 % reading");
              assertThat(imker("show", "far.2").out()).contains("progress   75 % writing");
            });
    assertThat(succeed("show", "far", "--json").out()).contains("\"fraction\" : 0.5,");
    succeed("cancel", "far");
  }

  @Test
  void a_graph_runs_in_order() throws IOException {
    Path file =
        write(
            "graph.yaml",
            """
            imker: 1
            stages:
              - name: split
                command: for i in 1 2 3; do echo $i > part-$i.txt; done
                results: part-*.txt
              - name: work
                command: echo $(( $(cat part-${n}.txt) * 10 )) > ten.txt
                sweep: {n: 1..3}
                inputs: [{stage: split, files: 'part-*.txt'}]
                results: ten.txt
              - name: sum
                command: cat from/*/ten.txt | paste -sd+ | tr -d '\\n'
                inputs: [{stage: work, files: ten.txt, into: 'from/${task}'}]
            """);
    assertThat(succeed("submit", file.toString(), "--wait").out()).contains("10+20+30");
  }

  @Test
  void names_that_are_not_ascii_come_and_go() throws Exception {
    shell("printf hallo > \"$(printf 'gr\\303\\274n.txt')\"");
    Path file =
        write(
            "umlaut.yaml",
            """
            imker: 1
            name: Größe
            command: cat grün.txt > ergebnis-${p}.txt; basename "$PWD"
            inputs: [grün.txt]
            folder: grün
            sweep: {p: [süß]}
            """);
    assertThat(succeed("submit", file.toString(), "--wait", "--results", "umlaut").out())
        .isEqualTo("grün\n");
    assertThat(shell("cat umlaut/*/\"$(printf 'ergebnis-s\\303\\274\\303\\237.txt')\""))
        .isEqualTo("hallo");
  }

  @Test
  void output_stays_the_bytes_it_was() throws Exception {
    succeed("run", "--name", "bytes", "--results", "bytes", "--", "printf '\\377\\000\\376'");
    byte[] expected = {(byte) 0xff, 0, (byte) 0xfe};
    assertThat(Files.readAllBytes(home().resolve("bytes/0001/stdout"))).isEqualTo(expected);
  }

  @Test
  void a_dry_run_changes_nothing() {
    assertThat(succeed("run", "--dry-run", "--", "echo {1..3}").out()).contains("3 tasks");
    succeed("run", "--name", "dry", "--wait", "--", "true");
    String before = succeed("show", "dry", "--json").out();
    for (String order : List.of("delete", "cancel", "retry", "block")) {
      succeed(order, "dry", "--dry-run");
    }
    succeed("set", "dry", "--priority", "9", "--dry-run");
    assertThat(succeed("show", "dry", "--json").out()).isEqualTo(before);
  }

  @Test
  void a_bad_job_is_refused_or_fails_alone() throws IOException {
    Path long300 =
        write("long.yaml", "imker: 1\ncommand: 'true'\nfolder: " + "x".repeat(300) + "\n");
    assertThat(imker("submit", long300.toString()).err()).contains("folder");
    write("a.txt", "a");
    Path nested =
        write(
            "nested.yaml",
            """
            imker: 1
            command: 'true'
            inputs: [{from: a.txt, as: data}, {from: a.txt, as: data/below}]
            """);
    assertThat(imker("submit", nested.toString()).exitCode()).isNotZero();
    ImkerProcess.Finished missing = imker("run", "--wait", "--", "no-such-program", "1");
    assertThat(missing.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(missing.err()).contains("no-such-program").contains("PATH is");
    assertThat(succeed("run", "--wait", "--", "echo", "fine").out()).isEqualTo("fine\n");
    assertThat(succeed("nodes").out()).doesNotContain("paused");
  }

  @Test
  void a_failed_job_is_tried_again_with_the_repaired_script() throws IOException {
    write("sim.py", "import syss\n");
    assertThat(
            imker("run", "--name", "sim", "--in", "sim.py", "--wait", "--", "python3 sim.py").err())
        .contains("failed");
    write("sim.py", "print(6 * 7)\n");
    assertThat(succeed("retry", "sim", "--refresh").out()).contains("sent again: sim.py");
    succeed("wait", "sim");
    assertThat(succeed("logs", "sim").out()).contains("42\n");
  }

  @Test
  void mistakes_on_the_command_line_are_answered_with_what_was_meant() {
    assertThat(imker("rn").err()).contains("Did you mean run?");
    assertThat(imker("run", "--wiat", "--", "true").err()).contains("Did you mean --wait?");
    assertThat(imker("run", "--sweep", "m=1..3", "--", "echo {n}").err()).contains("{m}");
  }

  @Test
  void a_task_that_no_machine_can_run_is_explained() throws IOException {
    Path file =
        write("huge.yaml", "imker: 1\nname: huge\ncommand: 'true'\nneeds: {memory: 900 TB}\n");
    succeed("submit", file.toString());
    assertThat(succeed("explain", "huge.1").out()).contains("memory");
    succeed("cancel", "huge");
  }

  @Test
  void tasks_talk_to_the_blackboard_and_to_each_other_out_of_the_sandbox() throws IOException {
    Path file =
        write(
            "board.yaml",
            """
            imker: 1
            command: |
              ask() { curl -sSf ${IMKER_SOCKET:+--unix-socket "$IMKER_SOCKET"} \\
                ${IMKER_CACERT:+--cacert "$IMKER_CACERT"} \\
                -H "Authorization: Bearer $IMKER_TASK_TOKEN" "$@"; }
              echo 42 | ask -T - "$IMKER_URL/api/v1/board/best" > /dev/null
              ask "$IMKER_URL/api/v1/board/best"
              ask -H 'Content-Type: application/json' "$IMKER_URL/api/v1/coord/counter/n" \\
                -d '{"action":"add","value":5}'
            """
                .replace("${", "$${"));
    assertThat(succeed("submit", file.toString(), "--wait").out())
        .startsWith("42\n")
        .contains("\"value\":5");
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void work_on_the_unplugged_machine_was_not_thrown_away() throws Exception {
    assertThat(imker("explain", "plug.2").out()).isNotBlank();
    Duration left = UNPLUGGED.minusNanos(System.nanoTime() - unpluggedNanos);
    if (left.isPositive()) {
      await().pollDelay(left).atMost(UNPLUGGED.plusMinutes(1)).until(() -> true);
    }
    network.plug(true);
    assertThat(imker("wait", "plug").exitCode()).isZero();
    assertThat(imker("logs", "plug.1").out()).isEqualTo(MARKS.getFirst() + "slept 20\n");
    assertThat(imker("logs", "plug.2").out()).isEqualTo(MARKS.getLast() + "slept 95\n");
    JsonNode job = PoolFixture.json(imker("show", "plug", "--json").out());
    assertThat(job.path("counts").path("done").asInt()).isEqualTo(2);
    assertThat(up.err() + second.err()).doesNotContain("\tat ");
  }

  private static Path home() {
    return place.resolve("user");
  }

  /** The words that run a command as an ordinary user without a locale. */
  private static List<String> asUser(List<String> machine) {
    List<String> words = new ArrayList<>(machine);
    words.addAll(
        List.of(
            "setpriv",
            "--reuid=" + USER,
            "--regid=" + USER,
            "--clear-groups",
            "--inh-caps=-all",
            "env",
            "-u",
            "LANG",
            "-u",
            "LC_ALL",
            "-u",
            "LC_CTYPE",
            "-u",
            "IMKER_UTF8_RESTART"));
    return words;
  }

  private static ImkerProcess start(List<String> machine, String who, String... arguments) {
    Path home = place.resolve(who);
    try {
      if (!Files.exists(home)) {
        own(Files.createDirectory(home));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    Map<String, String> environment =
        Map.of("HOME", home.toString(), "IMKER_HOME", home.resolve(".imker").toString());
    return ImkerProcess.start(asUser(machine), home, environment, arguments);
  }

  private static ImkerProcess.Finished imker(String... arguments) {
    return start(network.onServer(), "user", arguments).finished();
  }

  private static ImkerProcess.Finished succeed(String... arguments) {
    ImkerProcess.Finished finished = imker(arguments);
    assertThat(finished.exitCode())
        .as(String.join(" ", arguments) + "\n" + finished.out() + finished.err())
        .isZero();
    assertThat(finished.err()).doesNotContain("\tat ");
    return finished;
  }

  private static Path write(String name, String text) throws IOException {
    return own(Files.writeString(home().resolve(name), text, UTF_8));
  }

  private static Path own(Path path) throws IOException {
    Files.setAttribute(path, "unix:uid", USER);
    return path;
  }

  private static String shell(String line) throws IOException {
    List<String> words = new ArrayList<>(asUser(List.of()));
    words.addAll(List.of("sh", "-c", line));
    Process process =
        new ProcessBuilder(words).directory(home().toFile()).redirectErrorStream(true).start();
    try (var out = process.getInputStream()) {
      return new String(out.readAllBytes(), UTF_8);
    }
  }
}
