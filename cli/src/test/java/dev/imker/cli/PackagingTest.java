package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What can be said of a release without making one; {@code ./imker release --check} does the rest.
 */
final class PackagingTest {
  private static final Path ROOT = Path.of(System.getProperty("imker.root"));

  @TempDir Path folder;
  private Path home;

  /** An archive whose Java says how it was started. */
  @BeforeEach
  void unpack() throws IOException {
    home = Files.createDirectories(folder.resolve("an archive"));
    Path bin = Files.createDirectories(home.resolve("runtime/bin"));
    Files.writeString(bin.resolve("java"), "#!/bin/sh\necho \"$LC_ALL\"\nprintf '%s\\n' \"$@\"\n");
    Files.writeString(home.resolve("VERSION"), "0.0.1-abc\n");
    Files.createDirectories(home.resolve("lib"));
    Files.createDirectories(home.resolve("bin"));
    Files.copy(
        ROOT.resolve("server/src/main/resources/dev/imker/server/join/imker"),
        home.resolve("bin/imker"));
    for (Path program : List.of(bin.resolve("java"), home.resolve("bin/imker"))) {
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private static List<String> run(Path program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().retainAll(List.of("PATH"));
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return text.lines().toList();
  }

  @Test
  void start_script_runs_the_java_that_came_along() throws Exception {
    List<String> said = run(home.resolve("bin/imker"), "run", "--", "echo a  b");
    assertThat(said)
        .startsWith("C.UTF-8")
        .contains("-XX:TieredStopAtLevel=1")
        .endsWith("-cp", home + "/lib/imker.jar", "dev.imker.cli.Main", "run", "--", "echo a  b");
  }

  @Test
  void start_script_is_found_through_a_link_and_uses_the_cache() throws Exception {
    Path cache = Files.createFile(home.resolve("lib/imker.aot"));
    Path link = Files.createDirectories(folder.resolve("bin")).resolve("imker");
    Files.createSymbolicLink(link, Path.of("../an archive/bin/imker"));
    assertThat(run(link, "server"))
        .contains("-XX:AOTCache=" + cache)
        .doesNotContain("-XX:TieredStopAtLevel=1")
        .endsWith("dev.imker.cli.Main", "server");
    Path small = Files.createFile(home.resolve("lib/imker.aot.commands"));
    assertThat(run(link, "ls")).contains("-XX:AOTCache=" + small);
    assertThat(run(link, "server")).contains("-XX:AOTCache=" + cache);
  }

  @Test
  void start_script_tells_the_version_without_java() throws Exception {
    Files.writeString(home.resolve("runtime/release"), "JAVA_VERSION=\"25.0.3\"\n");
    assertThat(run(home.resolve("bin/imker"), "--version"))
        .containsExactly("imker 0.0.1 (abc)", "java 25.0.3");
  }

  @Test
  void all_modules_take_their_version_from_one_place() throws IOException {
    try (Stream<Path> folders = Files.list(ROOT)) {
      for (Path pom : folders.map(f -> f.resolve("pom.xml")).filter(Files::exists).toList()) {
        assertThat(Files.readString(pom))
            .as(pom.toString())
            .contains("<version>${revision}</version>");
      }
    }
  }

  /** ProtectClock closes all devices but the clock before version 253 of systemd. */
  @Test
  void service_of_the_agent_leaves_tasks_gpus_tunnels_and_namespaces() throws IOException {
    assertThat(
            Files.readString(ROOT.resolve("packaging/deb/imker-agent/imker-agent.service")).lines())
        .contains("NoNewPrivileges=yes")
        .noneMatch(
            line ->
                line.matches(
                    "(ProtectClock|PrivateDevices|DevicePolicy|RestrictNamespaces|PrivateUsers"
                        + "|ProtectKernelTunables|ProtectControlGroups|MemoryDenyWrite.*)=.*"));
  }

  @Test
  void every_command_has_a_manual_page() throws IOException {
    CommandLine imker = Main.commandLine();
    ManPages.write(imker, folder);
    assertThat(Files.readString(folder.resolve("imker-run.1")))
        .startsWith(".TH imker\\-run 1")
        .contains("\\-\\-wait");
    for (CommandLine command : imker.getSubcommands().values()) {
      CommandSpec spec = command.getCommandSpec();
      if (!spec.usageMessage().hidden()) {
        assertThat(folder.resolve("imker-" + spec.name() + ".1")).isRegularFile();
      }
    }
  }

  /** A start builds only the command that is asked for, which is found by this name. */
  @Test
  void commands_are_listed_by_their_own_names() {
    assertThat(Main.COMMANDS)
        .allSatisfy(
            (name, type) ->
                assertThat(type.getAnnotation(CommandLine.Command.class).name()).isEqualTo(name));
    assertThat(Main.commandLine("ls", "--json").getSubcommands()).containsOnlyKeys("ls");
    assertThat(Main.commandLine("rm", "1").getSubcommands()).containsKeys("rm", "ls");
  }
}
