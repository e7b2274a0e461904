package dev.imker.cli.server;

import dev.imker.cli.terminal.ExitCodes;
import dev.imker.server.backup.PoolBackup;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker restore}: a pool from its backup. */
@Command(
    name = "restore",
    sortOptions = false,
    description =
        "Restore a pool from a backup, into a folder without a pool or an empty database.")
public final class RestoreCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Folder written by 'imker backup'.")
  Path source = Path.of("");

  @Mixin PoolPlaceOptions place = new PoolPlaceOptions();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    PoolBackup backup = new PoolBackup(line -> out.println("  " + line), Clock.systemUTC());
    Path folder = source.toAbsolutePath().normalize();
    PoolBackup.Report report =
        place.url().isBlank()
            ? backup.toFolder(folder, place.folder())
            : backup.toDatabase(folder, place.url(), place.blobs.place());
    out.printf("Restored %d files (%d bytes); start the server.%n", report.files(), report.bytes());
    report.damaged().forEach(line -> out.println("damaged: " + line));
    out.flush();
    return report.damaged().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
  }
}
