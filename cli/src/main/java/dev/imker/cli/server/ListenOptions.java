package dev.imker.cli.server;

import dev.imker.cli.data.DropCommand;
import dev.imker.cli.options.TimeSpan;
import dev.imker.client.context.ImkerHome;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.ImkerException;
import dev.imker.server.PublicFace;
import dev.imker.server.ServerSettings;
import dev.imker.server.drop.DropFolders;
import dev.imker.server.http.TrustedProxies;
import dev.imker.server.members.SharedPool;
import dev.imker.store.postgres.PostgresDatabase;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that start a server. */
final class ListenOptions {
  private static final long SIGNS_PER_LEASE = 6;
  private static final int LARGEST_PORT = 65_535;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on (default: ${DEFAULT-VALUE}; 0: any free one).")
  int port = ServerSettings.DEFAULT_PORT;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "Address to listen on (default: ${DEFAULT-VALUE}); 0.0.0.0 accepts other"
              + " machines, over TLS.")
  String host = ServerSettings.LOOPBACK;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The server's data folder (default: $IMKER_HOME/data, ~/.imker/data).")
  @Nullable Path data;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description =
          "Give an agent's tasks to others after it has been silent this long: 30s, 2m"
              + " (default: ${DEFAULT-VALUE}).")
  String lease = "30s";

  @Option(
      names = "--max-losses",
      paramLabel = "N",
      description =
          "Hold a task back after this many machines have disappeared while running it"
              + " (default: ${DEFAULT-VALUE}).")
  int maxLosses = SchedulerSettings.defaults().maxLosses();

  @Option(
      names = "--drop",
      paramLabel = "DIR",
      description = "Drop folder, whose files become jobs (docs/drop-folder.md); repeatable.")
  List<String> drops = new ArrayList<>();

  @Option(
      names = "--db",
      paramLabel = "URL",
      description =
          "PostgreSQL database that stores the pool instead of the folder (default:"
              + " $IMKER_DB): jdbc:postgresql://HOST/NAME?user=…&password=…. Several servers"
              + " on one database form one pool: one leads, the others stand by.")
  @Nullable String database;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description = "ZooKeeper that elects the leader (default: the database does).")
  @Nullable String zookeeper;

  @Option(
      names = "--upgrade",
      description = "Upgrade the database schema even if servers of an older version still use it.")
  boolean upgrade;

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description =
          "Address of the reverse proxy in front of this server, used in join tokens"
              + " and links; clients trust the proxy's certificate.")
  @Nullable String publicUrl;

  @Option(
      names = "--join-url",
      paramLabel = "URL",
      description =
          "Address listed first in join tokens: one that reaches any server of the pool"
              + " and passes TLS through, such as a load balancer or a Kubernetes Service;"
              + " repeatable.")
  List<String> joinUrls = new ArrayList<>();

  @Option(
      names = "--trusted-proxy",
      paramLabel = "NETWORK",
      description =
          "Address or network of a reverse proxy whose X-Forwarded-For or Forwarded"
              + " header is trusted; repeatable.")
  List<String> trustedProxies = new ArrayList<>();

  @Option(
      names = "--no-announce",
      description =
          "Do not announce this server on the local network (mDNS). By default it is"
              + " announced if other machines can reach it.")
  boolean silent;

  @Option(
      names = "--otlp",
      paramLabel = "URL",
      description =
          "OpenTelemetry collector that receives the server's metrics every minute, for"
              + " example http://HOST:4318/v1/metrics (default:"
              + " $OTEL_EXPORTER_OTLP_METRICS_ENDPOINT).")
  @Nullable String otlp;

  @Mixin LogOptions log = new LogOptions();

  @Mixin BlobOptions blobs = new BlobOptions();

  @Option(names = "--json", description = "Print addresses and tokens as one line of JSON.")
  boolean json;

  ServerSettings settings(ImkerHome home) {
    long leaseMillis = TimeSpan.millis("--lease", lease, "s");
    if (leaseMillis < 1000) {
      throw new ImkerException("--lease " + lease + ": must be at least 1 second.");
    }
    if (maxLosses < 1) {
      throw new ImkerException("--max-losses " + maxLosses + ": must be at least 1.");
    }
    if (port < 0 || port > LARGEST_PORT) {
      throw new ImkerException("--port " + port + ": use a port from 0 (any free one) to 65535.");
    }
    Path folder = data == null ? home.data() : data.toAbsolutePath().normalize();
    ServerSettings settings =
        ServerSettings.of(folder)
            .withHost(host)
            .withPort(port)
            .withDrops(drops.stream().map(ListenOptions::drop).toList())
            .withScheduler(
                SchedulerSettings.defaults().withLeaseMillis(leaseMillis).withMaxLosses(maxLosses))
            .withSignOfLifeMillis(Math.max(200, leaseMillis / SIGNS_PER_LEASE))
            .withShared(shared())
            .withAnnounced(!silent)
            .withFace(
                new PublicFace(
                    Optional.ofNullable(publicUrl).map(PublicFace::parse),
                    TrustedProxies.of(trustedProxies),
                    joinUrls.stream().map(PublicFace::parse).toList()));
    return collector().map(settings::withOtlp).orElse(settings);
  }

  private Optional<URI> collector() {
    String named =
        otlp != null
            ? otlp
            : System.getenv().getOrDefault("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "");
    if (named.isBlank()) {
      return Optional.empty();
    }
    if (!named.matches("https?://[^/\\s]+(/\\S*)?")) {
      throw new ImkerException(
          "--otlp " + named + ": needs an address such as http://HOST:4318/v1/metrics.");
    }
    return Optional.of(URI.create(named));
  }

  private SharedPool shared() {
    String url = database != null ? database : System.getenv().getOrDefault("IMKER_DB", "");
    if (url.isBlank()) {
      if (zookeeper != null || blobs.isSet()) {
        throw new ImkerException("--zookeeper and --blobs need --db URL.");
      }
      return SharedPool.NONE;
    }
    PostgresDatabase.check(url);
    SharedPool shared = SharedPool.of(url).withBlobs(blobs.place()).withUpgrade(upgrade);
    return zookeeper == null ? shared : shared.withZooKeeper(zookeeper);
  }

  private static DropFolders.Added drop(String written) {
    return new DropFolders.Added(DropCommand.place(written), "admin", "");
  }
}
