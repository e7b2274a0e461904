package dev.imker.agent.internal.link;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.internal.cache.BlobCache;
import dev.imker.agent.internal.cache.BlobClient;
import dev.imker.agent.internal.cache.BoardClient;
import dev.imker.agent.internal.cache.ServerAccess;
import dev.imker.agent.internal.confine.Confinement;
import dev.imker.agent.internal.confine.Confinements;
import dev.imker.agent.internal.home.Boards;
import dev.imker.agent.internal.home.HomeSocket;
import dev.imker.agent.internal.home.TaskAccess;
import dev.imker.agent.internal.host.HostSettings;
import dev.imker.agent.internal.host.JavaTasks;
import dev.imker.agent.internal.lease.Holdings;
import dev.imker.agent.internal.lease.JavaReports;
import dev.imker.agent.internal.lease.Reporting;
import dev.imker.agent.internal.lease.SavedFiles;
import dev.imker.agent.internal.lease.SavedValues;
import dev.imker.agent.internal.lease.Trouble;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.agent.internal.platform.AgentFolder;
import dev.imker.agent.internal.platform.CpuBenchmark;
import dev.imker.agent.internal.platform.NodeIdentity;
import dev.imker.agent.internal.platform.PlatformProbe;
import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.RuntimeCatalogue;
import dev.imker.agent.internal.platform.Runtimes;
import dev.imker.agent.internal.policy.CurrentOffer;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.agent.internal.process.CorePinning;
import dev.imker.agent.internal.process.PortableExecutor;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.StrayProcesses;
import dev.imker.agent.internal.report.Delivery;
import dev.imker.agent.internal.report.UnconfirmedReports;
import dev.imker.agent.internal.run.Checkpointing;
import dev.imker.agent.internal.run.Enclosure;
import dev.imker.agent.internal.run.JavaRuns;
import dev.imker.agent.internal.run.Preparation;
import dev.imker.agent.internal.run.RunWatch;
import dev.imker.agent.internal.run.RunnerParts;
import dev.imker.agent.internal.run.Spawning;
import dev.imker.agent.internal.run.TaskEnvironment;
import dev.imker.agent.internal.run.TaskRunner;
import dev.imker.agent.internal.work.Laying;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.NodeId;
import dev.imker.model.PrivateFolder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Everything an agent is made of except its connection, set up in the right order. */
final class AgentParts {
  private static final long LARGEST_DEFAULT_CACHE_BYTES = 10L << 30;
  private static final int MAX_HOSTS = 6;
  private static final Path TASKS_OF_ROOT = Path.of("/var/lib/imker-tasks");

  final AgentSettings settings;
  final Policy policy;
  final CurrentOffer offer;
  final ProcessExecutor processes;
  private final CorePinning pinning;
  final Confinement confinement;
  final AgentFolder folder;
  final NodeId node;
  final Programs programs = new Programs(System.getenv().getOrDefault("PATH", ""));
  final Runtimes runtimes;
  final CpuBenchmark benchmark;
  final Holdings holdings = new Holdings();
  final Trouble trouble = new Trouble();
  final ServerAccess server = new ServerAccess();
  final BlobClient blobs;
  final UnconfirmedReports journal;
  private final Path tasks;

  /** How many GPUs the machine is known to have. */
  volatile int gpusFound = PlatformProbe.gpus().size();

  final WorkArea area;
  final BlobCache cache;
  private @Nullable HomeSocket home;
  private @Nullable JavaTasks java;
  private @Nullable JavaRuns javaRuns;

  AgentParts(AgentSettings settings) throws IOException {
    this.settings = settings;
    Path data = PrivateFolder.create(settings.dataFolder());
    this.policy = Policy.find(settings.policy(), data, settings.ownerActive());
    this.offer = new CurrentOffer(settings, policy);
    this.processes = settings.portableProcesses() ? new PortableExecutor() : ProcessExecutor.best();
    this.pinning = new CorePinning(processes.cores(), offer::cores);
    this.confinement = Confinements.choose(policy, data, programs);
    this.folder = AgentFolder.take(data);
    try {
      this.node = NodeIdentity.find(data);
      this.runtimes =
          new Runtimes(
              data.resolve("runtimes.properties"),
              programs,
              RuntimeCatalogue.with(data.resolve("runtimes.txt")));
      this.benchmark = new CpuBenchmark(data.resolve("benchmark.properties"));
      StrayProcesses.kill(TaskEnvironment.MARK, folder.id() + ":");
      this.tasks = tasksFolder();
      this.area = WorkArea.begin(tasks, laying(), confinement::user);
      this.journal = new UnconfirmedReports(folder.path().resolve("unconfirmed"));
      this.cache = new BlobCache(data.resolve("cache"), cacheLimit(settings, data));
      this.blobs =
          new BlobClient(
              server, settings.join().fingerprint(), settings.offlinePatience().toMillis());
      journal.load().forEach(holdings::add);
    } catch (IOException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  /**
   * Where tasks have their folders. A user who cannot enter the agent's folder, as tasks of root
   * outside a sandbox are, needs them elsewhere, and may pass there but not look around.
   */
  private Path tasksFolder() throws IOException {
    if (confinement.mounts() || !confinement.hasUsers()) {
      return folder.path();
    }
    Path area = Files.createDirectories(TASKS_OF_ROOT);
    Path own = PrivateFolder.create(area.resolve(folder.id().value()));
    for (Path passable : List.of(area, own)) {
      Files.setPosixFilePermissions(passable, PosixFilePermissions.fromString("rwx--x--x"));
    }
    return own;
  }

  private static long cacheLimit(AgentSettings settings, Path data) throws IOException {
    if (settings.cacheLimitBytes() > 0) {
      return settings.cacheLimitBytes();
    }
    long disk = Files.getFileStore(data).getTotalSpace();
    return Math.min(LARGEST_DEFAULT_CACHE_BYTES, disk / 10);
  }

  /** Opens the way that tasks in a sandbox have to the server; called before a runner is made. */
  void openHome(Vertx vertx) throws IOException {
    if (confinement.closesNetwork()) {
      home = HomeSocket.open(blobs, tasks, vertx);
    }
  }

  TaskRunner runner(Delivery delivery, Uplink uplink, Runnable onTick) {
    HomeSocket way = home;
    String socket =
        way == null ? "" : confinement.mounts() ? HomeSocket.INSIDE : way.path().toString();
    Map<String, Path> sockets = way == null ? Map.of() : Map.of(HomeSocket.INSIDE, way.path());
    TaskAccess access = new TaskAccess(server, settings.join().fingerprint(), tasks, socket);
    TaskEnvironment environment =
        new TaskEnvironment(
            folder.id(), System.getenv(), access, () -> Math.max(gpusFound, offer.get().gpus()));
    ProcessPriority priority =
        settings.lowestPriority() ? ProcessPriority.LOWEST : ProcessPriority.NORMAL;
    Enclosure enclosure = new Enclosure(policy, confinement, sockets, pinning::offered);
    java =
        new JavaTasks(
            new HostSettings(
                processes,
                priority,
                tasks.resolve("hosts"),
                environment::ofHost,
                enclosure,
                MAX_HOSTS),
            blob -> cache.fetch(blob, blobs));
    JavaReports reports = new JavaReports(blobs, folder.path());
    Reporting reporting = new Reporting(blobs);
    Preparation preparation = new Preparation(cache, blobs);
    return new TaskRunner(
        new RunnerParts(
            area,
            preparation,
            reporting,
            delivery,
            processes,
            environment,
            javaRuns(java, preparation, reports, reporting, uplink),
            uplink,
            priority,
            settings.stopGrace().toMillis(),
            offer,
            pinning,
            enclosure,
            new RunWatch(policy, () -> offer.get().memoryBytes()),
            new Checkpointing(blobs, uplink),
            trouble),
        onTick);
  }

  private JavaRuns javaRuns(
      JavaTasks tasks,
      Preparation preparation,
      JavaReports reports,
      Reporting reporting,
      Uplink uplink) {
    Boards boards =
        new Boards(new BoardClient(blobs, server, settings.offlinePatience().toMillis()));
    javaRuns =
        new JavaRuns(
            tasks,
            preparation,
            reports,
            new Spawning(uplink, cache, blobs),
            new SavedValues(reports, uplink, cache, blobs),
            new SavedFiles(reporting),
            boards,
            uplink,
            offer,
            !confinement.mounts());
    return javaRuns;
  }

  /** Sub-tasks of Java tasks; there once the runner is. */
  Spawning spawning() {
    return Objects.requireNonNull(javaRuns).spawning();
  }

  /** Who may write whatever the mode of a file says must not get a hold of the cached one. */
  private Laying laying() {
    if (confinement.mounts()) {
      return Laying.MOUNT;
    }
    return System.getProperty("user.name").equals("root") ? Laying.COPY : Laying.LINK;
  }

  Set<String> labels() {
    Set<String> labels = new HashSet<>(settings.labels());
    if (policy.longestMillis() > 0) {
      labels.add("screen-saver");
    }
    return labels;
  }

  void close() throws IOException {
    if (home != null) {
      home.close();
    }
    if (java != null) {
      java.close();
    }
    blobs.close();
    if (!tasks.equals(folder.path())) {
      WorkArea.deleteTree(tasks);
    }
    confinement.close();
    folder.close();
  }
}
