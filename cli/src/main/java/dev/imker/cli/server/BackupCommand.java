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

/** {@code imker backup}: everything of a pool in a folder, while it runs. */
@Command(
    name = "backup",
    sortOptions = false,
    description =
        "Copy a whole pool (database, files, secrets) into a folder while its servers run.")
public final class BackupCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      description = "Backup folder; if it holds an earlier backup, only new files are copied.")
  Path target = Path.of("");

  @Mixin PoolPlaceOptions place = new PoolPlaceOptions();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    PoolBackup backup = new PoolBackup(line -> out.println("  " + line), Clock.systemUTC());
    Path folder = target.toAbsolutePath().normalize();
    PoolBackup.Report report =
        place.url().isBlank()
            ? backup.ofFolder(place.folder(), folder)
            : backup.ofDatabase(place.url(), place.blobs.place(), folder);
    out.printf(
        "Backed up to %s: %d new files (%d bytes). It contains the pool's secrets:"
            + " protect it like the server's folder.%n",
        folder, report.files(), report.bytes());
    report.damaged().forEach(line -> out.println("damaged: " + line));
    out.flush();
    return report.damaged().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
  }
}
