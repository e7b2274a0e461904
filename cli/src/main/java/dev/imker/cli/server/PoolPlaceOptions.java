package dev.imker.cli.server;

import dev.imker.client.context.ImkerHome;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that look at a pool where it is kept, not through its server. */
final class PoolPlaceOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder of the pool (default: $IMKER_HOME/data, ~/.imker/data).")
  @Nullable Path data;

  @Option(
      names = "--db",
      paramLabel = "URL",
      description =
          "PostgreSQL database of the pool, instead of a folder (default: $IMKER_DB):"
              + " jdbc:postgresql://HOST/NAME?user=…&password=….")
  @Nullable String database;

  @Mixin BlobOptions blobs = new BlobOptions();

  Path folder() {
    return data == null ? ImkerHome.of(System.getenv()).data() : data.toAbsolutePath().normalize();
  }

  /** Empty for a pool in its folder; who names a folder does not mean the database. */
  String url() {
    if (database != null) {
      return database;
    }
    return data != null ? "" : System.getenv().getOrDefault("IMKER_DB", "");
  }
}
