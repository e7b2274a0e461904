package dev.imker.server;

import dev.imker.core.message.SchedulerSettings;
import dev.imker.server.drop.DropFolders;
import dev.imker.server.members.SharedPool;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How to run a server.
 *
 * @param dataFolder everything durable; made if it is not there
 * @param host where to listen: an address or a name of this machine; 0.0.0.0 for all
 * @param port 0 takes any free one
 * @param alwaysTls TLS on loopback too, where it is off otherwise
 * @param signOfLifeMillis how often agents report
 * @param drops folders whose files become jobs, besides those that were added and kept
 * @param maxAgents connections of agents; beyond this the one that did the least is closed
 * @param shared where a pool of several servers keeps what they share
 * @param face how it is seen from outside
 * @param announced whether it tells the local network of itself, if others can reach it there
 */
public record ServerSettings(
    Path dataFolder,
    String host,
    int port,
    boolean alwaysTls,
    String poolName,
    SchedulerSettings scheduler,
    long signOfLifeMillis,
    int maxAgents,
    List<DropFolders.Added> drops,
    SharedPool shared,
    PublicFace face,
    boolean announced,
    Optional<URI> otlp) {
  public static final int DEFAULT_PORT = 7070;
  public static final String LOOPBACK = "127.0.0.1";
  public static final int DEFAULT_MAX_AGENTS = 20_000;

  public static ServerSettings of(Path dataFolder) {
    return new ServerSettings(
        dataFolder,
        LOOPBACK,
        DEFAULT_PORT,
        false,
        "imker",
        SchedulerSettings.defaults(),
        5_000,
        DEFAULT_MAX_AGENTS,
        List.of(),
        SharedPool.NONE,
        PublicFace.OWN,
        false,
        Optional.empty());
  }

  public ServerSettings withHost(String value) {
    return with(draft -> draft.host = value);
  }

  public ServerSettings withPort(int value) {
    return with(draft -> draft.port = value);
  }

  public ServerSettings withTls() {
    return with(draft -> draft.alwaysTls = true);
  }

  public ServerSettings withPoolName(String value) {
    return with(draft -> draft.poolName = value);
  }

  public ServerSettings withScheduler(SchedulerSettings value) {
    return with(draft -> draft.scheduler = value);
  }

  public ServerSettings withSignOfLifeMillis(long value) {
    return with(draft -> draft.signOfLifeMillis = value);
  }

  public ServerSettings withMaxAgents(int value) {
    return with(draft -> draft.maxAgents = value);
  }

  public ServerSettings withDrops(List<DropFolders.Added> value) {
    return with(draft -> draft.drops = List.copyOf(value));
  }

  public ServerSettings withShared(SharedPool value) {
    return with(draft -> draft.shared = value);
  }

  /** One behind a reverse proxy. */
  public ServerSettings withFace(PublicFace value) {
    return with(draft -> draft.face = value);
  }

  public ServerSettings withAnnounced(boolean value) {
    return with(draft -> draft.announced = value);
  }

  /** One that sends its figures to a collector of OpenTelemetry. */
  public ServerSettings withOtlp(URI value) {
    return with(draft -> draft.otlp = Optional.of(value));
  }

  private ServerSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settled();
  }

  /** Settings while one of them changes. */
  private static final class Draft {
    private final Path dataFolder;
    private String host;
    private int port;
    private boolean alwaysTls;
    private String poolName;
    private SchedulerSettings scheduler;
    private long signOfLifeMillis;
    private int maxAgents;
    private List<DropFolders.Added> drops;
    private SharedPool shared;
    private PublicFace face;
    private boolean announced;
    private Optional<URI> otlp;

    Draft(ServerSettings from) {
      dataFolder = from.dataFolder;
      host = from.host;
      port = from.port;
      alwaysTls = from.alwaysTls;
      poolName = from.poolName;
      scheduler = from.scheduler;
      signOfLifeMillis = from.signOfLifeMillis;
      maxAgents = from.maxAgents;
      drops = from.drops;
      shared = from.shared;
      face = from.face;
      announced = from.announced;
      otlp = from.otlp;
    }

    ServerSettings settled() {
      return new ServerSettings(
          dataFolder,
          host,
          port,
          alwaysTls,
          poolName,
          scheduler,
          signOfLifeMillis,
          maxAgents,
          drops,
          shared,
          face,
          announced,
          otlp);
    }
  }
}
