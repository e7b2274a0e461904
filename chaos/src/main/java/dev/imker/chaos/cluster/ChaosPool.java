package dev.imker.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.client.context.PoolContext;
import dev.imker.model.connection.JoinToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Servers, agents, PostgreSQL and ZooKeeper as processes, each on a machine of its own where
 * network namespaces can be made. All of it can be broken and put right again.
 */
public final class ChaosPool implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int AGENT_DISK_MEGABYTES = 64;
  private static final int SERVER_DISK_MEGABYTES = 64;
  private static final int DATABASE_DISK_MEGABYTES = 1500;

  public static final String DATABASE = "db";
  public static final String ZOOKEEPER = "zk";

  /** Milliseconds: of ZooKeeper as it comes, and one that notices sooner who is gone. */
  private static final int USUAL_TICK = 2000;

  private static final int SHORT_TICK = 250;

  private final PoolPlan plan;
  private final List<String> notes = new ArrayList<>();
  private final Network network;
  private final Path logs;
  private final Map<String, SmallDisk> disks = new LinkedHashMap<>();
  private final Map<String, WrongClock> clocks = new LinkedHashMap<>();
  private final Optional<Postgres> postgres;
  private final Member database;
  private final Member zookeeper;
  private final int zookeeperPort = freePort();
  private final List<Member> servers = new ArrayList<>();
  private final List<Member> agents = new ArrayList<>();
  private final List<Integer> serverPorts = new ArrayList<>();
  private boolean byZooKeeper;
  private boolean closed;
  private String joinToken = "";
  private Optional<PoolContext> context = Optional.empty();

  private ChaosPool(PoolPlan plan) {
    this.plan = plan;
    this.logs = folder(plan.folder().resolve("logs"));
    network =
        (plan.namespaces() ? Namespaces.tryMake(notes) : Optional.<Network>empty())
            .orElseGet(OneMachine::new);
    network.add(DATABASE);
    network.add(ZOOKEEPER);
    postgres =
        plan.sqlite()
            ? Optional.empty()
            : Optional.of(makeDatabase(disk(DATABASE, DATABASE_DISK_MEGABYTES).resolve("data")));
    database = member(DATABASE, life -> postgres.orElseThrow().command());
    zookeeper =
        member(
            ZOOKEEPER,
            life ->
                JavaCommand.library(
                    "org.apache.zookeeper.server.ZooKeeperServerMain",
                    List.of(zookeeperSettings().toString())));
  }

  private Postgres makeDatabase(Path data) {
    try {
      return Postgres.make(data, network.address(DATABASE), freePort());
    } catch (RuntimeException e) {
      disks.values().forEach(SmallDisk::close);
      network.close();
      throw e;
    }
  }

  /** Starts a pool; on return all its processes run, and the first server leads. */
  public static ChaosPool start(PoolPlan plan, boolean byZooKeeper) {
    ChaosPool pool = new ChaosPool(plan);
    pool.byZooKeeper = byZooKeeper;
    // Whoever interrupts a run is not left with twenty processes.
    Runtime.getRuntime().addShutdownHook(new Thread(pool::close));
    try {
      pool.begin();
      return pool;
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private void begin() {
    startDatabase();
    startZooKeeper();
    for (int i = 1; i <= plan.servers(); i++) {
      addServer("s" + i);
    }
    servers.getFirst().start();
    learn(announcement(servers.getFirst()));
    awaitLeader();
    servers.forEach(Member::start);
    for (int i = 1; i <= plan.agents(); i++) {
      addAgent("a" + i);
    }
    if (clocks.isEmpty()) {
      notes.add("clock jumps, without libfaketime");
    }
  }

  private void awaitLeader() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (postgres.isPresent() && !postgres.get().hasEpoch()) {
      if (System.nanoTime() > deadline) {
        throw new ChaosException("the first server does not begin to lead");
      }
      Pause.millis(50);
    }
  }

  private void addServer(String name) {
    network.add(name);
    int port = freePort();
    serverPorts.add(port);
    disk(name, SERVER_DISK_MEGABYTES);
    Member server = member(name, life -> serverCommand(name, life, port));
    giveClock(server);
    servers.add(server);
  }

  private List<String> serverCommand(String name, String life, int port) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "server",
                "--listen",
                network.address(name),
                "--port",
                Integer.toString(port),
                // Here, a task is not held back because machine after machine dies under it.
                "--max-losses",
                "10000",
                "--drop",
                plan.drop().toString(),
                "--json"));
    if (plan.leaseSeconds() > 0) {
      arguments.addAll(List.of("--lease", Integer.toString(plan.leaseSeconds())));
    }
    if (postgres.isPresent()) {
      String url = postgres.get().plainUrl() + "&options=-c%20chaos.server=" + life;
      arguments.addAll(List.of("--db", url));
    } else {
      arguments.addAll(List.of("--data", dataFolder().toString()));
    }
    if (byZooKeeper) {
      arguments.addAll(
          List.of("--zookeeper", network.address(ZOOKEEPER) + ":" + zookeeperPort + "/chaos"));
    }
    return JavaCommand.imker(arguments);
  }

  /** Where the only server of a pool without PostgreSQL keeps everything. */
  public Path dataFolder() {
    return plan.folder().resolve("data");
  }

  /** Backs the folder up while its server runs. */
  public void backUp() {
    runImker(List.of("backup", backup().toString(), "--data", dataFolder().toString()));
  }

  /** Kills the server and lets it go on with what the backup has. */
  public void restore() {
    servers.getFirst().kill();
    Shell.run("rm", "-rf", dataFolder().toString());
    runImker(List.of("restore", backup().toString(), "--data", dataFolder().toString()));
    servers.getFirst().start();
    announcement(servers.getFirst());
  }

  private Path backup() {
    return plan.folder().resolve("backup");
  }

  private static void runImker(List<String> arguments) {
    Shell.run(JavaCommand.imker(arguments).toArray(String[]::new));
  }

  private void addAgent(String name) {
    network.add(name);
    Path folder = folder(disk(name, AGENT_DISK_MEGABYTES).resolve("agent"));
    write(folder.resolve("node-id"), "chaos-" + name);
    // Tasks write to a log outside, which a sandbox would hide from them.
    write(
        folder.resolve("policy.yaml"),
        "sandbox: off\nuser: same\nupdates: no\npause: {owner-active: no}\n");
    Member agent =
        member(
            name,
            life ->
                JavaCommand.imker(
                    List.of(
                        "agent",
                        "--join",
                        joinToken,
                        "--name",
                        name,
                        "--cores",
                        Integer.toString(plan.slots()),
                        "--slots",
                        Integer.toString(plan.slots()))));
    giveClock(agent);
    agents.add(agent);
    agent.start();
  }

  private void giveClock(Member member) {
    if (WrongClock.isPossible()) {
      WrongClock clock = new WrongClock(plan.folder().resolve(member.name() + ".clock"));
      clocks.put(member.name(), clock);
      member.with(clock.environment());
    }
  }

  private Member member(String name, Member.CommandLine command) {
    Path home =
        disks.containsKey(name) ? disks.get(name).folder() : folder(plan.folder().resolve(name));
    return new Member(
        name,
        home,
        logs,
        life -> {
          List<String> all = new ArrayList<>(network.on(name));
          all.addAll(command.of(life));
          return all;
        });
  }

  private Path disk(String name, int megabytes) {
    Path at = folder(plan.folder().resolve(name));
    SmallDisk disk = SmallDisk.make(at, megabytes, plan.realDisk(), notes);
    disks.put(name, disk);
    return disk.folder();
  }

  private Path zookeeperSettings() {
    Path data = folder(plan.folder().resolve(ZOOKEEPER).resolve("data"));
    return write(
        plan.folder().resolve("zoo.cfg"),
        """
        tickTime=%d
        dataDir=%s
        clientPort=%d
        admin.enableServer=false
        maxClientCnxns=0
        """
            .formatted(plan.leaseSeconds() == 0 ? USUAL_TICK : SHORT_TICK, data, zookeeperPort));
  }

  // ---------------------------------------------------------------- what it announced

  private JsonNode announcement(Member server) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!server.said().contains("\n")) {
      if (!server.isAlive() || System.nanoTime() > deadline) {
        throw new ChaosException(server.name() + " does not start; see " + server.life() + ".err");
      }
      Pause.millis(50);
    }
    try {
      return ApiClient.json().readTree(server.said().lines().findFirst().orElseThrow());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void learn(JsonNode announced) {
    JoinToken first = JoinToken.parse(announced.path("joinToken").asText());
    String scheme = URI.create(announced.path("url").asText()).getScheme();
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      String address = network.address(servers.get(i).name());
      urls.add("%s://%s:%d".formatted(scheme, address, serverPorts.get(i)));
    }
    joinToken = new JoinToken(urls, first.secret(), first.fingerprint()).encode();
    context =
        Optional.of(
            new PoolContext(
                urls.stream().map(URI::create).toList(),
                announced.path("adminToken").asText(),
                first.fingerprint()));
  }

  /** How clients reach it. */
  public PoolContext context() {
    return context.orElseThrow();
  }

  /** The database, for its owner. */
  public String databaseUrl() {
    return postgres
        .map(Postgres::url)
        .orElseGet(() -> "jdbc:sqlite:" + dataFolder().resolve("imker.db"));
  }

  public boolean isInFolder() {
    return postgres.isEmpty();
  }

  /** What cannot be done on this system, and why. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  public List<Member> servers() {
    return servers;
  }

  public List<Member> agents() {
    return agents;
  }

  public Member database() {
    return database;
  }

  public Member zookeeper() {
    return zookeeper;
  }

  public Network network() {
    return network;
  }

  public Optional<SmallDisk> disk(String name) {
    return Optional.ofNullable(disks.get(name)).filter(SmallDisk::canBeFull);
  }

  public Map<String, WrongClock> clocks() {
    return clocks;
  }

  public void startDatabase() {
    postgres.ifPresent(present -> present.start(database));
  }

  private void startZooKeeper() {
    if (postgres.isPresent()) {
      zookeeper.start();
    }
  }

  /** Takes effect for servers that start from now on. */
  public void decideBy(boolean useZooKeeper) {
    byZooKeeper = useZooKeeper;
  }

  public boolean isDecidedByZooKeeper() {
    return byZooKeeper;
  }

  /** Everything runs, nothing is cut, full or late. */
  public void makeWhole() {
    network.heal();
    disks.values().forEach(SmallDisk::empty);
    clocks.values().forEach(clock -> clock.set(0));
    startDatabase();
    startZooKeeper();
    servers.forEach(Member::goOn);
    servers.forEach(Member::start);
    agents.forEach(Member::goOn);
    agents.forEach(Member::start);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    agents.forEach(Member::retire);
    servers.forEach(Member::retire);
    zookeeper.retire();
    database.retire();
    disks.values().forEach(SmallDisk::close);
    network.close();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder(Path path) {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
