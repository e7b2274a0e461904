package dev.imker.server.live;

import dev.imker.model.JobId;
import dev.imker.model.job.After;
import dev.imker.model.job.DataReference;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether a new job would wait for data of jobs that wait for its own. Where several stages are to
 * publish data of one name, one of them may come without the others, so that is not a circle.
 */
final class DataCircle {
  /**
   * A stage of a job.
   *
   * @param job empty: the new one
   */
  private record Place(String job, JobSpec spec, int stage) {
    Stage get() {
      return spec.stages().get(stage);
    }

    @Override
    public String toString() {
      String name = get().name().isEmpty() ? "" : "stage '" + get().name() + "'";
      String whose = job.isEmpty() ? "this job" : "job " + job;
      return name.isEmpty() ? whose : name + " of " + whose;
    }
  }

  private final List<Place> own = new ArrayList<>();
  private final Map<String, List<Place>> publishers = new HashMap<>();

  DataCircle(
      String user,
      JobSpec spec,
      Collection<JobId> publishing,
      Function<JobId, @Nullable LiveJob> live) {
    boolean waits = add("", spec);
    for (JobId id : waits ? publishing : List.<JobId>of()) {
      LiveJob job = live.apply(id);
      if (job != null && job.user().equals(user)) {
        add(id.toString(), job.spec());
      }
    }
  }

  /** Returns whether it waits for data and publishes some. */
  private boolean add(String job, JobSpec spec) {
    boolean waits = false;
    boolean publishes = false;
    for (int i = 0; i < spec.stages().size(); i++) {
      Place place = new Place(job, spec, i);
      String name = place.get().rules().publish();
      waits |= StageGraph.predecessors(place.get()).stream().anyMatch(After::awaitsData);
      if (!name.isEmpty()) {
        publishes = true;
        publishers.computeIfAbsent(name, _ -> new ArrayList<>()).add(place);
      }
      if (job.isEmpty()) {
        own.add(place);
      }
    }
    return waits && publishes;
  }

  /** In the order of the work, first and last the same; empty if there is none. */
  List<String> find() {
    Set<String> seen = new HashSet<>();
    for (Place start : own) {
      List<String> path = new ArrayList<>();
      if (leadsTo(start, start, path, seen)) {
        path.addFirst(start.toString());
        return path;
      }
    }
    return List.of();
  }

  /** Goes from a stage to what it waits for; what is found is told the other way round. */
  private boolean leadsTo(Place from, Place end, List<String> path, Set<String> seen) {
    StageGraph graph = StageGraph.of(from.spec.stages());
    for (After after : StageGraph.predecessors(from.get())) {
      Place before = null;
      String how = "";
      if (!after.stage().isEmpty()) {
        before = new Place(from.job, from.spec, graph.number(after.stage()));
      } else if (after.awaitsData()) {
        String name = DataReference.parse(after.data()).name();
        List<Place> places = publishers.getOrDefault(name, List.of());
        before = places.size() == 1 ? places.getFirst() : null;
        how = "data '" + name + "'";
      }
      if (before != null
          && (before.equals(end)
              || (seen.add(before.job + "." + before.stage) && leadsTo(before, end, path, seen)))) {
        if (!before.equals(end)) {
          path.add(before.toString());
        }
        if (!how.isEmpty()) {
          path.add(how);
        }
        if (from.equals(end)) {
          path.add(end.toString());
        }
        return true;
      }
    }
    return false;
  }
}
