package dev.imker.charts.study;

import dev.imker.charts.Cancellation;
import dev.imker.charts.CancelledException;
import dev.imker.charts.ChartException;
import dev.imker.charts.Progress;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.market.Markets;
import dev.imker.charts.spec.Analysis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Does a whole analysis on the cores of this machine. */
public final class LocalRun {
  private final Analysis analysis;
  private final Markets markets;
  private final JavaIndicators java;
  private final Study study;
  private final int threads;
  private final Progress progress;
  private final Cancellation cancellation;

  public LocalRun(
      Analysis analysis,
      List<Market> markets,
      int threads,
      Progress progress,
      Cancellation cancellation) {
    this(analysis, markets, JavaIndicators.NONE, threads, progress, cancellation);
  }

  /**
   * @param markets all that were loaded
   * @param java indicators of libraries that the analysis names
   */
  public LocalRun(
      Analysis analysis,
      List<Market> markets,
      JavaIndicators java,
      int threads,
      Progress progress,
      Cancellation cancellation) {
    analysis.check(java);
    this.analysis = analysis;
    this.java = java;
    List<Market> traded = analysis.traded(markets);
    List<Market> watched = markets.stream().filter(m -> !traded.contains(m)).toList();
    this.markets = new Markets(traded, watched);
    this.threads = threads;
    this.progress = progress;
    this.cancellation = cancellation;
    List<MarketInfo> infos = analysis.infos(markets);
    this.study = new Study(analysis, infos, stepsPerUnit(infos));
  }

  /** With fewer markets than threads a market is cut, so that all threads have work. */
  private long stepsPerUnit(List<MarketInfo> infos) {
    if (infos.size() >= threads || analysis.kind() == Analysis.Kind.BACKTEST) {
      return Study.USUAL_STEPS_PER_UNIT;
    }
    double combinations = analysis.search().perRound(analysis.space());
    double steps = combinations * infos.stream().mapToLong(MarketInfo::bars).sum();
    return (long) Math.clamp(steps / threads, 100_000, Study.USUAL_STEPS_PER_UNIT);
  }

  /** Runs to the end, or until cancelled; then the result is of what was done. */
  public AnalysisResult run() {
    List<PartialResult> done = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int round = 0; ; round++) {
        List<WorkUnit> units = study.round(round, done);
        if (units.isEmpty()) {
          return study.merge(done, true);
        }
        if (!runRound(units, executor, done)) {
          return study.merge(done, false);
        }
      }
    }
  }

  private boolean runRound(
      List<WorkUnit> units, ExecutorService executor, List<PartialResult> done) {
    long total = units.stream().mapToLong(WorkUnit::steps).sum();
    AtomicLong steps = new AtomicLong();
    List<Future<PartialResult>> futures = new ArrayList<>();
    for (WorkUnit unit : units) {
      futures.add(executor.submit(() -> runUnit(unit, steps, total)));
    }
    boolean complete = true;
    for (Future<PartialResult> future : futures) {
      try {
        done.add(future.get());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof CancelledException)) {
          futures.forEach(f -> f.cancel(false));
          throw failure(e);
        }
        complete = false;
      } catch (InterruptedException e) {
        futures.forEach(f -> f.cancel(false));
        Thread.currentThread().interrupt();
        throw new CancelledException();
      }
    }
    return complete;
  }

  private PartialResult runUnit(WorkUnit unit, AtomicLong steps, long total) {
    AtomicLong before = new AtomicLong();
    Progress unitProgress =
        (unitDone, unitTotal) -> {
          long delta = unitDone - before.getAndSet(unitDone);
          progress.advanced(steps.addAndGet(delta), total);
        };
    return UnitRunner.run(analysis, markets, java, unit, unitProgress, cancellation);
  }

  private static ChartException failure(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause instanceof ChartException chart
        ? chart
        : new ChartException("The analysis failed: " + cause, cause);
  }
}
