package dev.imker.agent.internal.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.PosixSpawnExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attempts to break out of the sandbox, each of which has to be refused. All of them run in one
 * sandbox, once as the tests' own user and, where that is root, also the way an ordinary user's
 * agent makes it. The list in docs/security.md is this one.
 */
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@MethodSource("makers")
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class EscapeTest {
  private static final Path ATTEMPTS = Path.of("src/test/resources/escapes.py");
  private static final Pattern ATTEMPT =
      Pattern.compile("^@attempt\\(\"(.+)\"\\)", Pattern.MULTILINE);
  private static final String PATH = "/usr/bin:/bin";
  private static final String SECRET = "imker-secret-4711";
  private static final int ORDINARY = 65534;

  @Parameter SandboxMaker maker;
  @TempDir Path folder;

  static List<SandboxMaker> makers() {
    return SandboxMakers.all();
  }

  @TestFactory
  @Attack(
      value = "break out of the sandbox of the agent's own user in any way listed in security.md",
      cases = 50)
  List<DynamicTest> every_attempt_is_refused_as_the_agents_own_user() throws Exception {
    return attempts(List.of(), TaskUser.find(new Programs(PATH)));
  }

  @TestFactory
  @Attack(value = "break out of the sandbox of an agent that is an ordinary user", cases = 50)
  List<DynamicTest> every_attempt_is_refused_when_the_agent_is_an_ordinary_user() throws Exception {
    assumeTrue(TaskUser.isRoot(), "the tests run as an ordinary user already");
    return attempts(
        List.of(
            "/usr/bin/setpriv",
            "--reuid=" + ORDINARY,
            "--regid=" + ORDINARY,
            "--clear-groups",
            "--inh-caps=-all",
            "--"),
        Optional.empty());
  }

  /** Runs all in one sandbox, and makes a test of each answer. */
  private List<DynamicTest> attempts(List<String> prefix, Optional<TaskUser> user)
      throws Exception {
    Programs programs = new Programs(PATH);
    assumeTrue(programs.find("python3").isPresent(), "there is no Python for the attempts");
    Path place = Files.createTempDirectory(Path.of("/tmp"), "imker-escape");
    Path program = place.resolve("maker");
    try (ServerSocket loopback = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx--x--x"));
      Path work = Files.createDirectory(place.resolve("work"));
      Path temporary = Files.createDirectory(place.resolve("temporary"));
      Files.writeString(place.resolve("token"), SECRET);
      Files.copy(ATTEMPTS, work.resolve("escapes.py"));
      Files.copy(Path.of(maker.program()), program, StandardCopyOption.COPY_ATTRIBUTES);
      int id = prefix.isEmpty() ? user.map(TaskUser::id).orElse(-1) : ORDINARY;
      if (id >= 0) {
        Files.setAttribute(work, "unix:uid", id);
        Files.setAttribute(temporary, "unix:uid", id);
        // As somebody has it who installed it at home; bubblewrap is the system's, and has to be.
        Files.setAttribute(program, "unix:uid", maker.own() ? id : 0);
      }
      SandboxMaker own =
          new SandboxMaker(
              program.toString(), maker.name(), maker.own(), maker.closesUserNamespaces());
      Bubblewrap.Attempt attempt =
          Bubblewrap.find(List.of(own), SystemView.Wanted.showing(), user, Optional.empty());
      assumeTrue(attempt.sandbox().isPresent(), attempt.reason());
      Map<String, String> env = new LinkedHashMap<>();
      env.put("PATH", PATH);
      env.put("OUTSIDE", place.toString());
      env.put("AGENT", Long.toString(ProcessHandle.current().pid()));
      env.put("LOOPBACK", Integer.toString(loopback.getLocalPort()));
      ProcessSpec spec =
          new ProcessSpec(
              List.of("python3", "escapes.py"),
              env,
              work,
              folder.resolve("out"),
              folder.resolve("err"),
              ProcessPriority.NORMAL);
      ProcessSpec confined =
          attempt.sandbox().get().confine(spec, new Confinement.Room(work, temporary, false, user));
      List<String> command = new ArrayList<>(prefix);
      command.addAll(confined.command());
      CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
      PosixSpawnExecutor.shared()
          .start(confined.by(command, confined.env(), confined.handed()), exit::complete);
      exit.get(60, TimeUnit.SECONDS);
      String all =
          Files.readString(folder.resolve("out")) + Files.readString(folder.resolve("err"));
      assertThat(all).as("secrets from outside").doesNotContain(SECRET);
      assertThat(place.resolve("written")).doesNotExist();
      assertThat(program).hasSameBinaryContentAs(Path.of(maker.program()));
      assertThat(Files.getPosixFilePermissions(program))
          .isEqualTo(Files.getPosixFilePermissions(Path.of(maker.program())));
      return tests(all);
    } finally {
      dev.imker.agent.internal.work.WorkArea.deleteTree(place);
    }
  }

  private static List<DynamicTest> tests(String answers) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String name : names()) {
      tests.add(
          DynamicTest.dynamicTest(
              name, () -> assertThat(answers).contains("refused: " + name + "\n")));
    }
    return tests;
  }

  private static List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    Matcher matcher = ATTEMPT.matcher(Files.readString(ATTEMPTS));
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  @Test
  void the_documentation_lists_every_attempt() throws IOException {
    String page = Files.readString(Path.of("../docs/security.md"));
    assertThat(names())
        .hasSizeGreaterThanOrEqualTo(30)
        .allSatisfy(n -> assertThat(page).contains("- " + n + "\n"));
  }
}
