package dev.imker.sim.report;

import dev.imker.sim.SimRequest;
import dev.imker.sim.SimResult;
import dev.imker.sim.Simulator;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes {@code imker sim} after its arguments were parsed. */
public final class SimCommandLine {
  /** The strategies to compare by default. */
  public static final List<String> DEFAULT_STRATEGIES =
      List.of("balanced", "combined-runtime", "survival");

  private SimCommandLine() {}

  /**
   * Simulates and prints a table per file, or one JSON array; plots are written if the request
   * specifies a folder.
   *
   * @throws dev.imker.model.ImkerException with a message for the user
   */
  public static void run(SimRequest request, boolean json, PrintStream out) {
    show(Simulator.run(request), request.plotFolder(), json, out);
  }

  /** Prints results, and writes plots if a folder is given. */
  public static void show(
      List<SimResult> results, @Nullable Path folder, boolean json, PrintStream out) {
    out.print(json ? SimJson.write(results) + System.lineSeparator() : CompareTable.write(results));
    if (folder != null) {
      List<Path> files = SimPlots.write(results, folder);
      if (!json) {
        files.forEach(file -> out.println("wrote " + file));
      }
    }
    out.flush();
  }
}
