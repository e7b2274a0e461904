package dev.imker.sim;

import dev.imker.model.ProjectId;
import dev.imker.sim.config.SimConfig;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** All runs of one configuration under one strategy; run i had seed i+1. */
public record SimResult(SimConfig config, String strategy, List<SimRun> runs) {
  public SimResult {
    runs = List.copyOf(runs);
  }

  public Spread avEff() {
    return over(SimRun::avEff);
  }

  public Spread effWindow() {
    return over(SimRun::effWindow);
  }

  public Spread avDone() {
    return over(SimRun::avDone);
  }

  /** Minutes until everything was done; null if some run was given up before. */
  public @Nullable Spread makespan() {
    return runs.stream().allMatch(SimRun::isFinished)
        ? over(run -> run.makespan() * config.minutesPerStep())
        : null;
  }

  /** Minutes until a project was done; null if some run was given up before. */
  public @Nullable Spread finished(int project) {
    boolean all = runs.stream().allMatch(run -> run.finishedMinute()[project] > 0);
    return all ? over(run -> run.finishedMinute()[project] * config.minutesPerStep()) : null;
  }

  /** Minutes that tasks of a project waited until they first began. */
  public Spread waited(int project) {
    return over(run -> run.waitedMinutes()[project] * config.minutesPerStep());
  }

  /** Names of the resources whose use was measured. */
  public Set<String> resources() {
    return runs.getFirst().used().keySet();
  }

  /** Percent of a resource that were in use. */
  public Spread used(String resource) {
    return over(run -> used(run, resource).mean());
  }

  /** The same over the minutes in which some tasks waited. */
  public Spread usedWhileWaiting(String resource) {
    return over(run -> used(run, resource).whileWaiting());
  }

  private static SimRun.Used used(SimRun run, String resource) {
    return Objects.requireNonNull(run.used().get(resource));
  }

  /** A project's name; with its user where a configuration has several. */
  public String projectName(int project) {
    List<ProjectId> projects = config.projects();
    boolean oneUser = projects.stream().map(ProjectId::user).distinct().count() == 1;
    return oneUser ? projects.get(project).name() : projects.get(project).toString();
  }

  private Spread over(ToDoubleFunction<SimRun> value) {
    return Spread.of(runs.stream().mapToDouble(value).toArray());
  }
}
