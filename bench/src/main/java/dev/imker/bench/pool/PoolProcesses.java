package dev.imker.bench.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.client.Imker;
import dev.imker.client.context.PoolContext;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server and agents as processes of their own, from the built jar, in a temporary folder. */
public final class PoolProcesses implements AutoCloseable {
  private final Path folder;
  private final Map<String, Process> agents = new LinkedHashMap<>();
  private final List<String> serverOptions;
  private Process server;
  private JsonNode announced;

  private PoolProcesses(
      Path folder, List<String> serverOptions, Process server, JsonNode announced) {
    this.folder = folder;
    this.serverOptions = serverOptions;
    this.server = server;
    this.announced = announced;
  }

  public static PoolProcesses start(String... serverJavaOptions) throws IOException {
    return start(List.of(), serverJavaOptions);
  }

  /** A pool whose server keeps everything in that database. */
  public static PoolProcesses onDatabase(String url) throws IOException {
    return start(List.of("--db", url));
  }

  /** The same, with what tasks share in that ZooKeeper. */
  static PoolProcesses onDatabase(String url, String zookeeper) throws IOException {
    return start(List.of("--db", url, "--zookeeper", zookeeper));
  }

  /** A database as a careful administrator sets it up: what is committed is on disk. */
  public static EmbeddedPostgres durablePostgres() throws IOException {
    return EmbeddedPostgres.builder()
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("full_page_writes", "on")
        .setServerConfig("shared_buffers", "256MB")
        .start();
  }

  private static PoolProcesses start(List<String> serverOptions, String... javaOptions)
      throws IOException {
    Path folder = Files.createTempDirectory("imker-bench-");
    Process server = startServer(folder, 0, serverOptions, javaOptions);
    return new PoolProcesses(folder, serverOptions, server, firstLine(server));
  }

  /** Starts the server again on the same data and port; returns once it answers. */
  public void restartServer(String... javaOptions) throws IOException, InterruptedException {
    server.destroy();
    startAgain(javaOptions);
  }

  /** The same after SIGKILL. */
  public void killAndRestartServer() throws IOException, InterruptedException {
    server.destroyForcibly();
    startAgain();
  }

  private void startAgain(String... javaOptions) throws IOException, InterruptedException {
    server.waitFor();
    int port = URI.create(announced.path("url").asText()).getPort();
    server = startServer(folder, port, serverOptions, javaOptions);
    announced = firstLine(server);
  }

  public void addAgent(String name, int slots) throws IOException {
    startAgent(name, slots);
    awaitAgents(agents.size());
  }

  /** An agent that counts as a machine of its own. */
  public void addNode(String name, int slots) throws IOException {
    Path data = Files.createDirectories(home(name).resolve("agent"));
    Files.writeString(data.resolve("node-id"), "bench-" + name);
    addAgent(name, slots);
  }

  /** The same on its owner's terms, a {@code policy.yaml}. */
  public void addNode(String name, int slots, String policy) throws IOException {
    Path data = Files.createDirectories(home(name).resolve("agent"));
    Files.writeString(data.resolve("policy.yaml"), policy);
    addNode(name, slots);
  }

  /** Where an agent keeps everything. */
  public Path home(String name) {
    return folder.resolve("agent-" + name);
  }

  public void startAgent(String name, int slots, String... options) throws IOException {
    agents.put(name, launch(agentCommand(name, slots, List.of(options)), home(name)));
  }

  private List<String> agentCommand(String name, int slots, List<String> options)
      throws IOException {
    return java(
        home(name),
        options,
        "agent",
        "--join",
        joinToken(),
        "--name",
        name,
        "--cores",
        Integer.toString(Math.max(slots, Runtime.getRuntime().availableProcessors())),
        "--slots",
        Integer.toString(slots));
  }

  /**
   * An agent with one slot that is one core of this machine, together with all that it starts; else
   * the compiler of a task's virtual machine would borrow another core.
   */
  public void addAgentOnCore(String name, int core) throws IOException {
    List<String> command = new ArrayList<>(List.of("taskset", "-c", Integer.toString(core)));
    command.addAll(agentCommand(name, 1, List.of()));
    agents.put(name, launch(command, home(name)));
    awaitAgents(agents.size());
  }

  public void killAgent(String name) throws InterruptedException {
    Process agent = agents.get(name);
    if (agent != null) {
      agent.destroyForcibly().waitFor();
    }
  }

  public ApiClient client() {
    return new ApiClient(
        new PoolContext(
            URI.create(announced.path("url").asText()),
            announced.path("adminToken").asText(),
            announced.path("fingerprint").asText("")));
  }

  public KeepAliveClient keepAliveClient() throws IOException {
    return new KeepAliveClient(
        URI.create(announced.path("url").asText()), announced.path("adminToken").asText());
  }

  public Imker connect() {
    return Imker.connect(announced.path("url").asText(), announced.path("adminToken").asText());
  }

  public String joinToken() {
    return announced.path("joinToken").asText();
  }

  /** Of the server and all agents that live, with what these have started. */
  public List<Long> processes() {
    return Stream.concat(Stream.of(server), agents.values().stream())
        .filter(Process::isAlive)
        .flatMap(process -> Stream.concat(Stream.of(process.toHandle()), process.descendants()))
        .map(ProcessHandle::pid)
        .toList();
  }

  public long serverPid() {
    return server.pid();
  }

  public Process agent(String name) {
    return Objects.requireNonNull(agents.get(name), name);
  }

  @Override
  public void close() {
    agents.values().forEach(Process::destroy);
    server.destroy();
    try {
      for (Process agent : agents.values()) {
        agent.waitFor(10, TimeUnit.SECONDS);
      }
      server.waitFor(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitAgents(int count) {
    try (ApiClient api = client()) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      while (connected(api.get("/api/v1/nodes")) < count) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("agent did not come up within 120 s");
        }
        Thread.onSpinWait();
      }
    }
  }

  private static int connected(JsonNode nodes) {
    int count = 0;
    for (JsonNode node : nodes.path("nodes")) {
      for (JsonNode agent : node.path("agents")) {
        count += agent.path("connected").asBoolean() ? 1 : 0;
      }
    }
    return count;
  }

  private static Process startServer(
      Path folder, int port, List<String> options, String... javaOptions) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("server", "--port", Integer.toString(port), "--data"));
    arguments.add(folder.resolve("data").toString());
    arguments.add("--json");
    arguments.addAll(options);
    return launch(java(folder, List.of(javaOptions), arguments.toArray(String[]::new)), folder);
  }

  static Path jar() {
    return Path.of(System.getProperty("imker.root", "."), "cli/target/imker.jar");
  }

  /** With the options that the launcher gives. */
  private static List<String> java(Path home, List<String> options, String... arguments)
      throws IOException {
    Files.createDirectories(home);
    Path jar = jar();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-XX:-UsePerfData");
    Path fastStart = jar.resolveSibling("imker.aot");
    if (Files.exists(fastStart)) {
      command.addAll(List.of("-XX:AOTCache=" + fastStart, "-Xlog:aot=off", "-Xlog:cds=off"));
    }
    command.addAll(options);
    command.addAll(List.of("-cp", jar.toString(), "dev.imker.cli.Main"));
    command.addAll(List.of(arguments));
    return command;
  }

  private static Process launch(List<String> command, Path home) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("IMKER_HOME", home.toString());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return builder.start();
  }

  private static JsonNode firstLine(Process process) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = reader.readLine();
    if (line == null) {
      throw new IOException("the server did not start");
    }
    return ApiClient.json().readTree(line);
  }
}
