package dev.imker.cli.charts;

import dev.imker.charts.pool.PoolPlan;
import dev.imker.charts.pool.PoolTask;
import dev.imker.charts.pool.PoolTaskMain;
import dev.imker.jobfile.draft.UnfinishedJob;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.Stage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The report of what an analysis in the pool has computed so far. */
final class UnfinishedChart {
  private static final String PARTS_PREFIX = "part-";

  private final UnfinishedJob job;
  private final Stage last;
  private final String plan;

  UnfinishedChart(UnfinishedJob job) {
    this.job = job;
    this.last = job.spec().stages().getLast();
    this.plan = last.env().getOrDefault(PoolTaskMain.PLAN, "");
  }

  boolean isChart() {
    return !plan.isEmpty();
  }

  /** Returns false, and writes nothing, if no part of it is done. */
  boolean write(Path target, PrintStream words) throws IOException {
    Path work = Files.createTempDirectory("imker-merge");
    try {
      Path parts = Files.createDirectories(work.resolve(PoolTask.PARTS));
      if (job.fetchResults(PARTS_PREFIX, parts) == 0) {
        return false;
      }
      for (InputFile input : last.inputs()) {
        Path file = work.resolve(input.path()).normalize();
        if (!file.startsWith(work)) {
          throw new IOException(input.path() + " points outside the work folder.");
        }
        Files.createDirectories(file.getParent());
        job.fetchInput(input, file);
      }
      new PoolTask(PoolPlan.decode(plan), work, words).reportUnfinished(target);
      return true;
    } finally {
      delete(work);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
