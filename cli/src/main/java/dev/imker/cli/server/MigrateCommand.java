package dev.imker.cli.server;

import dev.imker.cli.terminal.ExitCodes;
import dev.imker.client.context.ImkerHome;
import dev.imker.model.ImkerException;
import dev.imker.server.backup.PoolBackup;
import dev.imker.server.members.PoolMove;
import dev.imker.store.move.PoolMigration;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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
    description = "Move a pool from its folder into a PostgreSQL database, or back into a folder.")
public final class MigrateCommand implements Callable<Integer> {
  private static final String SQLITE = "sqlite:";

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--from",
      paramLabel = "sqlite:DIR|URL",
      description =
          "Current place of the pool: its data folder (default: $IMKER_HOME/data,"
              + " ~/.imker/data), or jdbc:postgresql://…, whose servers may keep running"
              + " until the end.")
  @Nullable String from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "URL|sqlite:DIR",
      description =
          "Empty database: jdbc:postgresql://HOST/NAME?user=…&password=…; or sqlite:DIR, a folder"
              + " without a pool.")
  String to = "";

  @Mixin BlobOptions blobs = new BlobOptions();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (to.startsWith(SQLITE)) {
      return backToFolder(out);
    }
    Path folder = folder();
    if (!Files.isRegularFile(folder.resolve("imker.db"))) {
      throw new ImkerException("There is no pool in " + folder + ".");
    }
    PoolMigration.Report report =
        PoolMove.run(folder, to, blobs.place(), line -> out.println("  " + line));
    out.printf(
        "Moved %d rows and %d files (%d bytes). The folder is unchanged; from now on,"
            + " start servers with --db.%n",
        report.rows(), report.files(), report.bytes());
    out.flush();
    return ExitCodes.OK;
  }

  /** Stop the servers before: what they write after the copy was made stays behind. */
  private int backToFolder(PrintWriter out) {
    if (from == null || !from.startsWith("jdbc:")) {
      throw new ImkerException("--to sqlite:DIR needs --from jdbc:postgresql://….");
    }
    Path folder = Path.of(to.substring(SQLITE.length())).toAbsolutePath().normalize();
    PoolBackup.Report report =
        new PoolBackup(line -> out.println("  " + line), Clock.systemUTC())
            .moveToFolder(from, blobs.place(), folder);
    out.printf(
        "Moved into %s (%d files, %d bytes). The database is unchanged; from now on,"
            + " start one server with --data %s.%n",
        folder, report.files(), report.bytes(), folder);
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
