package dev.imker.cli.server;

import dev.imker.cli.terminal.ExitCodes;
import dev.imker.server.backup.PoolVerification;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker verify}: whether a backup, or a pool, is whole. */
@Command(
    name = "verify",
    sortOptions = false,
    description =
        "Check that a backup or a pool is complete: its database, and every file against its hash.")
public final class VerifyCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "A backup or a data folder; without it, the pool of --db or --data.")
  @Nullable Path folder;

  @Mixin PoolPlaceOptions place = new PoolPlaceOptions();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    PoolVerification verification = new PoolVerification(line -> out.println("  " + line));
    PoolVerification.Report report;
    if (folder != null) {
      report = verification.ofFolder(folder.toAbsolutePath().normalize());
    } else if (place.url().isBlank()) {
      report = verification.ofFolder(place.folder());
    } else {
      report = verification.ofDatabase(place.url(), place.blobs.place(), place.folder());
    }
    report.problems().forEach(line -> out.println("damaged: " + line));
    out.printf(
        "%s: %d jobs, %d files, %d bytes looked at.%n",
        report.problems().isEmpty() ? "Whole" : "Not whole",
        report.jobs(),
        report.files(),
        report.bytes());
    out.flush();
    return report.problems().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
  }
}
