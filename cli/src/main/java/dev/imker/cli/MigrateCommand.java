package dev.imker.cli;

import dev.imker.cli.api.ImkerHome;
import dev.imker.model.ImkerException;
import dev.imker.server.PoolMove;
import dev.imker.store.PoolMigration;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code imker migrate}: a pool that has grown moves into a database that servers can share. */
@Command(
    name = "migrate",
    sortOptions = false,
    description = "Move a pool from its folder into a PostgreSQL database.")
final class MigrateCommand implements Callable<Integer> {
  private static final String SQLITE = "sqlite:";

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--from",
      paramLabel = "sqlite:DIR",
      description = "Data folder of the pool (default: $IMKER_HOME/data, ~/.imker/data).")
  @Nullable String from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "URL",
      description = "Empty database: jdbc:postgresql://HOST/NAME?user=…&password=….")
  String to = "";

  @Mixin BlobOptions blobs = new BlobOptions();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    Path folder = folder();
    if (!Files.isRegularFile(folder.resolve("imker.db"))) {
      throw new ImkerException("There is no pool in " + folder + ".");
    }
    PoolMigration.Report report =
        PoolMove.run(folder, to, blobs.place(), line -> out.println("  " + line));
    out.printf(
        "Moved %d rows and %d files (%d bytes). The folder is as it was; from now on start servers"
            + " with --db.%n",
        report.rows(), report.files(), report.bytes());
    out.flush();
    return ExitCodes.OK;
  }

  private Path folder() {
    if (from == null) {
      return ImkerHome.of(System.getenv()).data();
    }
    if (!from.startsWith(SQLITE)) {
      throw new ImkerException("--from takes sqlite:DIR, the data folder of a pool.");
    }
    return Path.of(from.substring(SQLITE.length())).toAbsolutePath().normalize();
  }
}
