package dev.imker.server.live;

import dev.imker.model.JobId;
import dev.imker.model.job.After;
import dev.imker.model.job.DataReference;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether a new job would wait for data of jobs that wait for its own. Where several stages are to
 * publish data of one name, one of them may come without the others, so that is not a circle.
 */
// Depth first with an explicit stack, each stage once: jobs may be chains of thousands of stages,
// and this is done in a turn of the loop.
final class DataCircle {
  /** A stage that is still to publish something. */
  record Publisher(JobId job, int stage) {}

  /**
   * A job whose stages are walked.
   *
   * @param name empty: the new one
   */
  record Walked(String name, List<Stage> stages, StageGraph graph) {
    static Walked of(String name, JobSpec spec) {
      return new Walked(name, spec.stages(), StageGraph.of(spec.stages()));
    }
  }

  /** Equal by the job's name and the stage, which is much cheaper than by all stages. */
  private record Place(Walked job, int stage) {
    Stage get() {
      return job.stages.get(stage);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place place
          && place.stage == stage
          && place.job.name.equals(job.name);
    }

    @Override
    public int hashCode() {
      return job.name.hashCode() * 31 + stage;
    }

    @Override
    public String toString() {
      String whose = job.name.isEmpty() ? "this job" : "job " + job.name;
      return get().name().isEmpty() ? whose : "stage '" + get().name() + "' of " + whose;
    }
  }

  /**
   * A step from a stage to one that it waits for.
   *
   * @param data what it waits for; empty: the stage itself
   */
  private record Step(Place to, String data, Iterator<Step> further) {}

  private final Walked own;
  private final Function<String, Collection<Publisher>> publishers;
  private final Function<JobId, @Nullable Walked> jobs;
  private final Map<String, List<Integer>> ownData = new HashMap<>();
  private final Map<JobId, Walked> others = new HashMap<>();

  /**
   * @param publishers the stages that are still to publish data of a name
   * @param jobs those of the publishers
   */
  DataCircle(
      JobSpec spec,
      Function<String, Collection<Publisher>> publishers,
      Function<JobId, @Nullable Walked> jobs) {
    this.own = Walked.of("", spec);
    this.publishers = publishers;
    this.jobs = jobs;
    for (int i = 0; i < own.stages.size(); i++) {
      String name = own.stages.get(i).rules().publish();
      if (!name.isEmpty()) {
        ownData.computeIfAbsent(name, _ -> new ArrayList<>()).add(i);
      }
    }
  }

  /** In the order of the work, first and last the same; empty if there is none. */
  List<String> find() {
    Set<Place> seen = new HashSet<>();
    // A circle through this job leads out of it by data that it waits for, and back by data that
    // it publishes.
    for (int i = 0; i < own.stages.size() && !ownData.isEmpty(); i++) {
      Place start = new Place(own, i);
      if (isOpen(start.get()) && seen.add(start)) {
        List<String> circle = from(start, seen);
        if (!circle.isEmpty()) {
          return circle;
        }
      }
    }
    return List.of();
  }

  private static boolean isOpen(Stage stage) {
    return StageGraph.predecessors(stage).stream().anyMatch(After::awaitsData);
  }

  private List<String> from(Place start, Set<Place> seen) {
    Deque<Step> path = new ArrayDeque<>();
    Set<Place> onPath = new HashSet<>();
    path.push(new Step(start, "", before(start)));
    onPath.add(start);
    while (!path.isEmpty()) {
      Iterator<Step> further = path.element().further;
      if (!further.hasNext()) {
        onPath.remove(path.pop().to);
        continue;
      }
      Step next = further.next();
      if (onPath.contains(next.to)) {
        return told(path, next);
      }
      if (seen.add(next.to)) {
        onPath.add(next.to);
        path.push(new Step(next.to, next.data, before(next.to)));
      }
    }
    return List.of();
  }

  /** The path leads from each stage to what it waits for; it is told the other way round. */
  private static List<String> told(Deque<Step> path, Step last) {
    List<String> circle = new ArrayList<>();
    circle.add(last.to.toString());
    String data = last.data;
    for (Step step : path) {
      if (!data.isEmpty()) {
        circle.add("data '" + data + "'");
      }
      circle.add(step.to.toString());
      data = step.data;
      if (step.to.equals(last.to)) {
        break;
      }
    }
    return circle;
  }

  private Iterator<Step> before(Place place) {
    List<Step> steps = new ArrayList<>();
    for (After after : StageGraph.predecessors(place.get())) {
      if (!after.stage().isEmpty()) {
        int stage = place.job.graph.number(after.stage());
        steps.add(new Step(new Place(place.job, stage), "", List.<Step>of().iterator()));
      } else if (after.awaitsData()) {
        String name = DataReference.parse(after.data()).name();
        Collection<Publisher> theirs = publishers.apply(name);
        List<Integer> ours = ownData.getOrDefault(name, List.of());
        if (theirs.size() + ours.size() == 1) {
          Place before =
              ours.isEmpty() ? place(theirs.iterator().next()) : new Place(own, ours.getFirst());
          if (before != null) {
            steps.add(new Step(before, name, List.<Step>of().iterator()));
          }
        }
      }
    }
    return steps.iterator();
  }

  private @Nullable Place place(Publisher publisher) {
    Walked walked = others.get(publisher.job);
    if (walked == null) {
      walked = jobs.apply(publisher.job);
      if (walked == null) {
        return null;
      }
      others.put(publisher.job, walked);
    }
    return new Place(walked, publisher.stage);
  }
}
