package dev.imker.agent.internal.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.PosixSpawnExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tasks without a sandbox, and the networks of tasks with and without one. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class PlainProcessesTest {
  private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

  private final Programs programs = new Programs(PATH);
  private final Optional<TaskUser> users =
      TaskUser.find(programs).map(found -> found.numbered(TaskUser.Traces.FILES));
  private Optional<TaskUser> user = Optional.empty();
  private Path folder;
  private Path work;
  private Path temporary;

  @BeforeEach
  void setUp() throws IOException {
    folder = Files.createTempDirectory(Path.of("/tmp"), "imker-plain");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    work = Files.createDirectory(folder.resolve("work"));
    temporary = Files.createDirectory(folder.resolve("temporary"));
    if (users.isPresent()) {
      user = Optional.of(users.get().another());
      user.get().give(work);
      user.get().give(temporary);
    }
  }

  @AfterEach
  void tidy() throws IOException {
    if (users.isPresent()) {
      users.get().close();
    }
    WorkArea.deleteTree(folder);
  }

  private PlainProcesses plain() {
    return PlainProcesses.find("of a test", programs, user, Optional.empty());
  }

  private TaskProcess start(
      Confinement by, boolean network, CompletableFuture<ProcessExit> exit, String... command) {
    Map<String, String> env = new HashMap<>(Map.of("PATH", PATH, "odd.name", "it's", "X", "a b"));
    env.put(ProcessSpec.MARK, "test:1");
    ProcessSpec spec =
        new ProcessSpec(
            List.of(command),
            env,
            work,
            folder.resolve("out"),
            folder.resolve("err"),
            ProcessPriority.NORMAL);
    Confinement.Room room = new Confinement.Room(work, temporary, network, user);
    return PosixSpawnExecutor.shared().start(by.confine(spec, room), exit::complete);
  }

  private String run(Confinement by, boolean network, String line) throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    start(by, network, exit, "/bin/sh", "-c", line);
    exit.get(60, TimeUnit.SECONDS);
    return Files.readString(folder.resolve("out")) + Files.readString(folder.resolve("err"));
  }

  @Test
  @Attack(
      "read the admin token, another task's files and /etc/shadow under a root agent without a"
          + " sandbox")
  void a_task_of_root_is_a_user_of_its_own_without_any_rights() throws Exception {
    assumeTrue(TaskUser.isRoot(), "the tests run as an ordinary user");
    Path token = Files.writeString(folder.resolve("admin-token"), "secret-4711");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("file"), "secret-4712");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));
    users.orElseThrow().another().give(other);
    String said =
        run(
            plain(),
            false,
            "id -u; id -G; grep CapBnd /proc/self/status; cat "
                + token
                + "; cat "
                + other
                + "/file; cat /etc/shadow; ls "
                + folder
                + "; touch /usr/x; pwd; echo mine > file; cat file");
    assertThat(said)
        .startsWith(
            "%1$d%n%1$d%nCapBnd:\t0000000000000000%n%2$s%nmine%n"
                .formatted(user.orElseThrow().id(), work))
        .doesNotContain("secret-", "root:");
  }

  @Test
  void the_environment_the_folder_and_the_exit_code_are_the_tasks() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    start(plain(), false, exit, "/bin/sh", "-c", "pwd; echo \"$X\"; exit 7");
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(7);
    assertThat(folder.resolve("out")).hasContent(work + "\na b\n");
    CompletableFuture<ProcessExit> second = new CompletableFuture<>();
    start(plain(), false, second, "env");
    second.get(60, TimeUnit.SECONDS);
    assertThat(Files.readString(folder.resolve("out"))).contains("odd.name=it's\n", "X=a b\n");
    assertThatThrownBy(() -> start(plain(), false, exit, "no-such-program"))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("There is no program no-such-program");
  }

  @Test
  void a_task_that_is_told_to_end_may_tidy_up() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess process =
        start(
            plain(),
            false,
            exit,
            "/bin/sh",
            "-c",
            "trap 'echo tidy > done; exit 3' TERM; echo x > begun; while :; do sleep 0.05; done");
    await().until(() -> Files.exists(work.resolve("begun")));
    process.terminate(30_000);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(3);
    assertThat(work.resolve("done")).hasContent("tidy");
  }

  @Test
  void a_task_without_a_trap_ends_when_told_to() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess process = start(plain(), false, exit, "/bin/sh", "-c", "echo x > begun; sleep 99");
    await().until(() -> Files.exists(work.resolve("begun")));
    process.terminate(600_000);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(143);
  }

  @Test
  @Attack("outlive a task without a sandbox by leaving its session, environment and parents")
  void what_leaves_session_environment_and_parents_ends_with_its_task() throws Exception {
    assumeTrue(plain().closesNetwork(), "this system gives no namespaces");
    CompletableFuture<ProcessExit> other = new CompletableFuture<>();
    TaskProcess running = start(plain(), false, other, "/bin/sh", "-c", "sleep 99");
    String hiding = "(env -i setsid setsid sleep 987651 &) ; sleep 0.2";
    run(plain(), false, hiding);
    assertThat(sleeping()).isEmpty();
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess killed =
        start(plain(), false, exit, "/bin/sh", "-c", hiding + "; exec setsid sleep 987652");
    await().until(() -> sleeping().size() == 2);
    killed.kill();
    exit.get(60, TimeUnit.SECONDS);
    await().until(() -> sleeping().isEmpty());
    running.kill();
    other.get(60, TimeUnit.SECONDS);
  }

  private static List<ProcessHandle> sleeping() {
    return ProcessHandle.allProcesses()
        .filter(one -> one.info().commandLine().orElse("").contains("98765"))
        .filter(one -> one.info().command().orElse("").endsWith("sleep"))
        .toList();
  }

  @Test
  @Attack("reach the loopback or an abstract socket without a sandbox")
  void without_the_network_there_is_none() throws Exception {
    assumeTrue(plain().closesNetwork(), "this system gives no namespaces");
    try (HostServices host = new HostServices(folder)) {
      assertThat(run(plain(), false, host.attack()))
          .contains("loopback: refused", "abstract: refused", "interfaces: lo\n");
    }
  }

  @Test
  @Attack("reach the loopback or an abstract socket with network: true, without a sandbox")
  void with_the_network_it_is_one_of_its_own_with_a_way_out() throws Exception {
    OutgoingNetwork.Attempt outgoing = OutgoingNetwork.find(programs);
    assumeTrue(outgoing.network().isPresent(), outgoing.reason());
    assertThatNothingOfTheHostIsReached(
        PlainProcesses.find("of a test", programs, user, outgoing.network()));
  }

  @Test
  @Attack("reach the loopback or an abstract socket with network: true in a sandbox")
  void with_the_network_a_sandbox_has_one_of_its_own_with_a_way_out() throws Exception {
    OutgoingNetwork.Attempt outgoing = OutgoingNetwork.find(programs);
    assumeTrue(outgoing.network().isPresent(), outgoing.reason());
    for (SandboxMaker maker : SandboxMakers.all()) {
      Bubblewrap.Attempt attempt =
          Bubblewrap.find(List.of(maker), SystemView.Wanted.showing(), user, outgoing.network());
      assumeTrue(attempt.sandbox().isPresent(), attempt.reason());
      assertThatNothingOfTheHostIsReached(attempt.sandbox().get());
    }
  }

  @Test
  @Attack("reach the machine with network: true where it forwards the packets of tasks")
  void where_nothing_carries_packets_the_machine_forwards_them_and_is_not_reached()
      throws Exception {
    assumeTrue(TaskUser.isRoot(), "the tests run as an ordinary user");
    String machine = "machine" + ProcessHandle.current().pid();
    String world = "world" + ProcessHandle.current().pid();
    Path unshare = programs.find("unshare").orElseThrow();
    String made =
        sh(
            """
            ip netns add %1$s && ip netns add %2$s &&
            ip -n %1$s link set lo up && ip -n %2$s link set lo up &&
            ip -n %1$s link add up0 type veth peer name up1 netns %2$s &&
            ip -n %1$s addr add 192.0.2.1/24 dev up0 && ip -n %1$s link set up0 up &&
            ip -n %2$s addr add 192.0.2.2/24 dev up1 && ip -n %2$s link set up1 up && echo made
            """
                .formatted(machine, world));
    List<String> where = List.of("/usr/sbin/ip", "netns", "exec", machine);
    try {
      assumeTrue(made.endsWith("made\n"), made);
      assertThat(OutgoingNetwork.forwarded(unshare, where).reason()).contains("ip_forward=1");
      sh("ip netns exec %s sysctl -q net.ipv4.ip_forward=1".formatted(machine));
      OutgoingNetwork.Attempt forwarded = OutgoingNetwork.forwarded(unshare, where);
      assertThat(forwarded.reason()).isEmpty();
      Confinement by = PlainProcesses.find("of a test", programs, user, forwarded.network());
      try (Service ofMachine = new Service(machine);
          Service ofWorld = new Service(world)) {
        String attack =
            """
            python3 - <<'END'
            import socket
            def attempt(name, address, seconds=1):
                try:
                    with socket.create_connection(address, seconds) as s:
                        print(name + ": reached as " + s.recv(100).decode())
                except OSError as e:
                    print(name + ": refused")
            probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            probe.connect(("192.0.2.2", 9))
            mine = probe.getsockname()[0]
            gate = mine.rsplit(".", 1)[0] + "." + str(int(mine.rsplit(".", 1)[1]) - 1)
            attempt("world", ("192.0.2.2", WORLD), 20)
            attempt("machine by its address", ("192.0.2.1", MACHINE))
            attempt("machine by the gate", (gate, MACHINE))
            attempt("machine by its loopback", ("127.0.0.1", MACHINE))
            END
            """
                .replace("WORLD", ofWorld.port)
                .replace("MACHINE", ofMachine.port);
        List<Confinement> ways = new ArrayList<>(List.of(by));
        Bubblewrap.find(programs, SystemView.Wanted.showing(), user, forwarded.network())
            .sandbox()
            .ifPresent(ways::add);
        Optional<Path> slirp = programs.find("slirp4netns").filter(Files::isExecutable);
        slirp.ifPresent(
            carrier ->
                ways.add(
                    PlainProcesses.find(
                        "of a test",
                        programs,
                        user,
                        Optional.of(new OutgoingNetwork(carrier, unshare, where, 500)))));
        for (Confinement way : ways) {
          assertThat(run(way, true, attack))
              .contains("world: reached as 192.0.2.1")
              .contains("machine by its address: refused")
              .contains("machine by the gate: refused")
              .contains("machine by its loopback: refused");
        }
        await()
            .untilAsserted(
                () -> assertThat(sh("ip -n " + machine + " link")).doesNotContain("imk"));
        sh("ip netns exec %s nft flush ruleset".formatted(machine));
        Path ip = Path.of("/usr/sbin/ip");
        OutgoingNetwork hasty = new OutgoingNetwork(ip, unshare, where, 20);
        by = PlainProcesses.find("of a test", programs, user, Optional.of(hasty));
        assertThat(run(by, true, "echo ran")).doesNotContain("ran\n").contains("did not come up");
      }
    } finally {
      sh("ip netns del %s; ip netns del %s".formatted(machine, world));
    }
  }

  private static String sh(String line) throws IOException {
    Process process =
        new ProcessBuilder("/bin/sh", "-c", "PATH=/usr/sbin:/usr/bin:/sbin:/bin\n" + line)
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Answers everybody in a network, and says who they are to it. */
  private static final class Service implements AutoCloseable {
    private final Process process;
    private final String port;

    Service(String network) throws IOException {
      process =
          new ProcessBuilder(
                  "/usr/sbin/ip",
                  "netns",
                  "exec",
                  network,
                  "python3",
                  "-c",
                  """
                  import socket
                  s = socket.create_server(("", 0)); print(s.getsockname()[1], flush=True)
                  while True:
                      c, who = s.accept(); c.send(who[0].encode()); c.close()
                  """)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      port = process.inputReader().readLine();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private void assertThatNothingOfTheHostIsReached(Confinement by) throws Exception {
    try (HostServices host = new HostServices(folder)) {
      assertThat(run(by, true, host.attack()))
          .contains("loopback: refused", "abstract: refused")
          .containsPattern("interfaces: lo (tap0|eth.*|en.*)\n")
          .contains("descriptors: 3\n");
    }
  }

  /** What a machine has that no task may reach. */
  private static final class HostServices implements AutoCloseable {
    private static final String ATTACK =
        """
        import os, socket, sys
        def attempt(name, family, address):
            try:
                with socket.socket(family, socket.SOCK_STREAM) as s:
                    s.settimeout(5); s.connect(address); print(name + ": reached")
            except OSError as e:
                print(name + ": refused")
        attempt("loopback", socket.AF_INET, ("127.0.0.1", PORT))
        attempt("loopback", socket.AF_INET, ("10.0.2.2", PORT))
        attempt("abstract", socket.AF_UNIX, "\\0NAME")
        names = sorted(n for _, n in socket.if_nameindex() if not n.startswith(("ifb", "sit", "tunl")))
        print("interfaces: " + " ".join(sorted(names, key=lambda n: n != "lo")))
        print("descriptors: " + str(len([f for f in os.listdir("/proc/self/fd")]) - 1))
        """;

    private final ServerSocket loopback = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String abstractName = "imker-test-" + ProcessHandle.current().pid();
    private final Process abstractSocket;
    private final Path script;

    HostServices(Path folder) throws IOException {
      abstractSocket =
          new ProcessBuilder(
                  "python3",
                  "-c",
                  "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.bind('\\0"
                      + abstractName
                      + "')\ns.listen()\nprint('there', flush=True)\nsys.stdin.read()")
              .start();
      assertThat(abstractSocket.inputReader().readLine()).isEqualTo("there");
      String port = Integer.toString(loopback.getLocalPort());
      script =
          Files.writeString(
              folder.resolve("work/attack.py"),
              ATTACK.replace("PORT", port).replace("NAME", abstractName));
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
      // The attack works where nobody is confined, so that a refusal says something.
      String said =
          new String(
              new ProcessBuilder("python3", script.toString())
                  .start()
                  .getInputStream()
                  .readAllBytes(),
              java.nio.charset.StandardCharsets.UTF_8);
      assertThat(said).contains("loopback: reached", "abstract: reached");
    }

    String attack() {
      return "python3 attack.py";
    }

    @Override
    public void close() throws IOException {
      loopback.close();
      abstractSocket.destroyForcibly();
    }
  }
}
