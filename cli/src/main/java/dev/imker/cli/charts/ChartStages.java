package dev.imker.cli.charts;

import dev.imker.charts.ChartException;
import dev.imker.charts.pool.PoolPlan;
import dev.imker.charts.pool.PoolTask;
import dev.imker.charts.pool.PoolTaskMain;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The stages of an analysis: {@code work-0}, and for a search in rounds {@code pick-1}, {@code
 * work-1} and so on, and at the end {@code report}. What is small is done by the last one alone.
 */
final class ChartStages {
  static final String DATA = PoolTask.DATA;
  static final String LIBRARIES = PoolTask.LIBRARIES;
  private static final String PICK = "pick-";
  private static final String WORK = "work-";
  private static final String REPORT = "report";

  /** A variable of the environment may be so long on every system. */
  private static final int MAX_PLAN_CHARS = 100_000;

  private static final List<String> REPORT_FILES =
      List.of("report.*", "result.json", "*.csv", "pictures/**", "prices/**", "indicators/**");

  private final List<List<PoolPlan.Chunk>> rounds;
  private final String plan;

  ChartStages(PoolPlan plan) {
    this.rounds = plan.rounds();
    this.plan = plan.encode();
    if (this.plan.length() > MAX_PLAN_CHARS) {
      throw new ChartException(
          "There are %,d markets, too many for one analysis; split them into several."
              .formatted(plan.markets().size()));
    }
  }

  /** Whether the tasks of a stage look at results only. */
  static boolean isWithoutData(Stage stage) {
    return stage.name().startsWith(PICK);
  }

  List<Stage> all() {
    List<Stage> stages = new ArrayList<>();
    for (int round = 0; round < rounds.size(); round++) {
      if (round > 0) {
        stages.add(
            stage(PICK + round, List.of("pick", Integer.toString(round)), List.of())
                .withDataInputs(parts(round))
                .withFiles(List.of(), List.of(PoolTask.PICKED_FILE)));
      }
      stages.add(work(round, rounds.get(round)));
    }
    stages.add(
        stage(REPORT, List.of("report"), List.of())
            .withDataInputs(parts(rounds.size()))
            .withFiles(List.of(), REPORT_FILES));
    return stages;
  }

  private Stage work(int round, List<PoolPlan.Chunk> chunks) {
    List<String> command =
        List.of("work", Integer.toString(round), "${chunk}", Integer.toString(chunks.size()));
    List<String> steps = chunks.stream().map(chunk -> Long.toString(chunk.steps())).toList();
    List<SweepAxis> sweep =
        List.of(
            SweepAxis.range("chunk", 1, chunks.size(), 1, 0).zippedAs("part"),
            SweepAxis.of("steps", steps).zippedAs("part"));
    Stage stage =
        stage(WORK + round, command, sweep).withFiles(List.of(), List.of(PoolTask.PART_FILES));
    return round == 0
        ? stage
        : stage.withDataInputs(
            List.of(
                new DataInput(
                    After.stage(PICK + round, After.Matching.ALL),
                    PoolTask.PICKED_FILE,
                    PoolTask.PICKED)));
  }

  /** The results of all rounds before. */
  private static List<DataInput> parts(int rounds) {
    List<DataInput> parts = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      parts.add(
          new DataInput(
              After.stage(WORK + round, After.Matching.ALL), PoolTask.PART_FILES, PoolTask.PARTS));
    }
    return parts;
  }

  private Stage stage(String name, List<String> arguments, List<SweepAxis> sweep) {
    List<String> command = new ArrayList<>(List.of("imker", "chart", "task"));
    command.addAll(arguments);
    return Stage.of(command, sweep).withName(name).withEnv(Map.of(PoolTaskMain.PLAN, plan));
  }
}
