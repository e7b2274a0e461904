package dev.imker.server.internal.rest.pool;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is recorded of a project, under the names of the formulas of the strategies.
 *
 * @param runMinutes of successful attempts; 0 while unknown
 */
public record ProjectFigures(
    String user,
    String project,
    @JsonProperty("nrWORKING") int working,
    @JsonProperty("relDONE") double doneShare,
    @JsonProperty("avT") double runMinutes,
    int ready,
    int tasks,
    int done,
    int copies) {
  public static List<ProjectFigures> all(PoolProfile pool) {
    List<ProjectFigures> all = new ArrayList<>();
    for (int i = 0; i < pool.projects(); i++) {
      all.add(of(pool.project(i)));
    }
    return all;
  }

  private static ProjectFigures of(ProjectProfile project) {
    return new ProjectFigures(
        project.project().user(),
        project.project().name(),
        project.working(),
        project.doneShare(),
        project.runMinutes(),
        project.ready(),
        project.total(),
        project.done(),
        project.copies());
  }

  public String inWords() {
    return String.format(
        Locale.ROOT,
        "%s/%s: %d ready, %d running, %.0f %% done, average run %.2f min",
        user,
        project,
        ready,
        working,
        100 * doneShare,
        runMinutes);
  }
}
