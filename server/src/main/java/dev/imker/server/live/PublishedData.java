package dev.imker.server.live;

import dev.imker.core.message.StageHeader;
import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.TaskRange;
import dev.imker.model.change.SettingPut;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.DataReference;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Results that stages have published under names, each user's for himself, and the jobs in memory
 * that wait for some or will publish some. Belongs to the loop's thread.
 */
public final class PublishedData {
  private static final String SETTING = "published-data/";

  /** In the place of the newest version whose job was removed, so that no number comes again. */
  private static final String GONE = "gone";

  private static final int PUBLISHED = -1;

  private record Key(String user, String name) {}

  /**
   * A version of some data.
   *
   * @param tasks who made them
   */
  public record Version(String user, DataReference data, String tasks) {}

  private final Map<Key, NavigableMap<Integer, String>> versions = new HashMap<>();
  private final Map<JobId, List<Version>> byJob = new HashMap<>();
  private final Set<JobId> waiting = new LinkedHashSet<>();

  /**
   * A job that is still to publish something.
   *
   * @param next by stage the first task that was not done when somebody looked
   */
  private record Publishing(LiveJob job, int[] next) {}

  private final Map<JobId, Publishing> publishing = new LinkedHashMap<>();
  private final Map<Key, Set<DataCircle.Publisher>> publishers = new HashMap<>();

  /**
   * @param settings all whose keys begin with a prefix
   */
  public PublishedData(Function<String, Map<String, String>> settings) {
    settings
        .apply(SETTING)
        .forEach(
            (key, tasks) -> {
              int name = key.lastIndexOf('/') + 1;
              DataReference data = DataReference.parse(key.substring(name));
              String user = key.substring(SETTING.length(), name - 1);
              note(new Version(user, data, tasks));
            });
  }

  private NavigableMap<Integer, String> of(String user, String name) {
    return versions.computeIfAbsent(new Key(user, name), _ -> new TreeMap<>());
  }

  private void note(Version version) {
    of(version.user, version.data.name()).put(version.data.version(), version.tasks);
    if (!version.tasks.equals(GONE)) {
      JobId job = TaskRange.parse(version.tasks).getFirst().job();
      byJob.computeIfAbsent(job, _ -> new ArrayList<>()).add(version);
    }
  }

  private static SettingPut put(Version version, String tasks) {
    return new SettingPut(SETTING + version.user + "/" + version.data, tasks);
  }

  /** What stages of a job have published. */
  public List<Version> by(JobId job) {
    return List.copyOf(byJob.getOrDefault(job, List.of()));
  }

  // ---------------------------------------------------------------- jobs in memory

  public void add(LiveJob job) {
    List<Stage> stages = job.spec().stages();
    if (stages.stream().anyMatch(PublishedData::isOpen)) {
      waiting.add(job.id());
    }
    int[] next = new int[stages.size()];
    boolean any = false;
    for (int i = 0; i < next.length; i++) {
      String tasks = tasks(job, i);
      boolean done =
          stages.get(i).rules().publish().isEmpty()
              || by(job.id()).stream().anyMatch(version -> version.tasks.equals(tasks));
      next[i] = done ? PUBLISHED : job.stages().firstOf(i);
      if (next[i] != PUBLISHED) {
        any = true;
        publishers
            .computeIfAbsent(key(job, i), _ -> new LinkedHashSet<>())
            .add(new DataCircle.Publisher(job.id(), i));
      }
    }
    if (any) {
      publishing.put(job.id(), new Publishing(job, next));
    }
  }

  public void forget(JobId job) {
    waiting.remove(job);
    Publishing open = publishing.remove(job);
    for (int i = 0; open != null && i < open.next.length; i++) {
      if (open.next[i] != PUBLISHED) {
        noLongerPublishes(open.job, i);
      }
    }
  }

  private static Key key(LiveJob job, int stage) {
    return new Key(job.user(), job.spec().stages().get(stage).rules().publish());
  }

  private void noLongerPublishes(LiveJob job, int stage) {
    Key key = key(job, stage);
    Set<DataCircle.Publisher> left = publishers.get(key);
    if (left != null && left.remove(new DataCircle.Publisher(job.id(), stage)) && left.isEmpty()) {
      publishers.remove(key);
    }
  }

  private static boolean isOpen(Stage stage) {
    return StageGraph.predecessors(stage).stream().anyMatch(After::awaitsData);
  }

  private static String tasks(LiveJob job, int stage) {
    return TaskRange.text(
        List.of(new TaskRange(job.id(), job.stages().firstOf(stage), job.stages().endOf(stage))));
  }

  /** Those of some jobs that still have something to publish. */
  public List<JobId> publishing(Collection<JobId> some) {
    return publishing.isEmpty()
        ? List.of()
        : some.stream().filter(publishing::containsKey).toList();
  }

  /** Jobs with stages that wait for data. */
  public List<JobId> waiting() {
    return List.copyOf(waiting);
  }

  // ---------------------------------------------------------------- publishing

  /**
   * Publishes the results of stages whose tasks are all done.
   *
   * @param isDone whether a task of the job is
   * @return what has to be kept
   */
  public List<SettingPut> publish(LiveJob job, IntPredicate isDone) {
    Publishing open = publishing.get(job.id());
    int[] next = open == null ? new int[0] : open.next;
    List<SettingPut> puts = new ArrayList<>();
    boolean any = false;
    for (int i = 0; i < next.length; i++) {
      if (next[i] != PUBLISHED && areDone(job, i, next, isDone)) {
        next[i] = PUBLISHED;
        noLongerPublishes(job, i);
        String name = job.spec().stages().get(i).rules().publish();
        NavigableMap<Integer, String> numbers = of(job.user(), name);
        int version = numbers.isEmpty() ? 1 : numbers.lastKey() + 1;
        Version made = new Version(job.user(), new DataReference(name, version), tasks(job, i));
        note(made);
        puts.add(put(made, made.tasks));
      }
      any |= next[i] != PUBLISHED;
    }
    if (!any) {
      publishing.remove(job.id());
    }
    return puts;
  }

  /** Goes on where it was last time; only when all seem to be done it looks at all of them. */
  private static boolean areDone(LiveJob job, int stage, int[] next, IntPredicate isDone) {
    int end = job.stages().endOf(stage);
    while (next[stage] < end && isDone.test(next[stage])) {
      next[stage]++;
    }
    if (next[stage] < end) {
      return false;
    }
    next[stage] = job.stages().firstOf(stage); // one of them may have begun again meanwhile
    while (next[stage] < end && isDone.test(next[stage])) {
      next[stage]++;
    }
    return next[stage] == end;
  }

  /** A job was removed, and its results with it; returns what has to be kept. */
  public List<SettingPut> removed(JobId job) {
    List<SettingPut> puts = new ArrayList<>();
    for (Version version : by(job)) {
      NavigableMap<Integer, String> numbers = of(version.user, version.data.name());
      boolean newest = version.data.version() == numbers.lastKey();
      if (newest) {
        numbers.put(version.data.version(), GONE);
      } else {
        numbers.remove(version.data.version());
      }
      puts.add(put(version, newest ? GONE : ""));
    }
    byJob.remove(job);
    return puts;
  }

  // ---------------------------------------------------------------- waiting

  /** Puts published versions into the places of data that stages wait for. */
  public JobSpec resolve(String user, JobSpec spec) {
    if (spec.stages().stream().noneMatch(PublishedData::isOpen)) {
      return spec;
    }
    UnaryOperator<After> published = after -> resolve(user, after);
    List<Stage> stages = new ArrayList<>();
    for (Stage stage : spec.stages()) {
      List<DataInput> inputs =
          stage.dataInputs().stream()
              .map(data -> new DataInput(published.apply(data.from()), data.glob(), data.into()))
              .toList();
      stages.add(
          stage.withAfter(stage.after().stream().map(published).toList()).withDataInputs(inputs));
    }
    return spec.withStages(stages);
  }

  private After resolve(String user, After after) {
    if (!after.awaitsData()) {
      return after;
    }
    DataReference wanted = DataReference.parse(after.data());
    NavigableMap<Integer, String> numbers = of(user, wanted.name());
    int version = wanted.version() == DataReference.NEWEST ? newest(numbers) : wanted.version();
    String tasks = numbers.get(version);
    return tasks == null || tasks.equals(GONE)
        ? after
        : after.published(new DataReference(wanted.name(), version), tasks);
  }

  /** 0 if there is none. */
  private static int newest(NavigableMap<Integer, String> numbers) {
    for (Map.Entry<Integer, String> version : numbers.descendingMap().entrySet()) {
      if (!version.getValue().equals(GONE)) {
        return version.getKey();
      }
    }
    return 0;
  }

  /** The stages of a job as the scheduler knows them, with what was published meanwhile. */
  public List<StageHeader> headers(String user, JobSpec spec, List<StageHeader> stages) {
    List<StageHeader> headers = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) {
      List<After> before = StageGraph.predecessors(spec.stages().get(i));
      headers.add(
          stages.get(i).published(before, before.stream().map(a -> resolve(user, a)).toList()));
    }
    return headers;
  }

  /**
   * @param spec resolved
   * @param before it in the same step
   * @param live the jobs in memory
   * @throws InputException if the job waits for what will never be there: a version whose job was
   *     removed, or data of a job that in turn waits for this one
   */
  public void requireAttainable(
      String user, JobSpec spec, Together before, Function<JobId, @Nullable LiveJob> live) {
    for (Stage stage : spec.stages()) {
      for (After after : StageGraph.predecessors(stage)) {
        if (after.awaitsData()) {
          DataReference data = DataReference.parse(after.data());
          NavigableMap<Integer, String> numbers = of(user, data.name());
          if (!numbers.isEmpty()
              && data.version() != DataReference.NEWEST
              && data.version() <= numbers.lastKey()) {
            throw new InputException(
                "Version %d of the data '%s' is gone: the job that published it was removed."
                    .formatted(data.version(), data.name()));
          }
        }
      }
    }
    List<String> circle =
        new DataCircle(spec, name -> publishers(user, name, before), id -> walked(id, before, live))
            .find();
    if (!circle.isEmpty()) {
      throw new InputException(
          "These jobs would wait for each other: "
              + String.join(" → ", circle)
              + ". Remove one of the dependencies, or publish under another name.");
    }
  }

  private Collection<DataCircle.Publisher> publishers(String user, String name, Together before) {
    Set<DataCircle.Publisher> there = publishers.getOrDefault(new Key(user, name), Set.of());
    List<DataCircle.Publisher> coming = before.publishing(name);
    if (coming.isEmpty()) {
      return there;
    }
    List<DataCircle.Publisher> all = new ArrayList<>(there);
    all.addAll(coming);
    return all;
  }

  private static DataCircle.@Nullable Walked walked(
      JobId id, Together before, Function<JobId, @Nullable LiveJob> live) {
    if (id.value() < 0) {
      return before.job(id);
    }
    LiveJob job = live.apply(id);
    return job == null ? null : DataCircle.Walked.of(id.toString(), job.spec());
  }

  /**
   * Jobs that are added in one step, as far as they were looked at: those that follow may wait for
   * their data, and they for data of those.
   */
  public static final class Together {
    private final List<JobSpec> jobs = new ArrayList<>();
    private final Map<String, List<DataCircle.Publisher>> publishers = new HashMap<>();

    public void add(JobSpec job) {
      jobs.add(job);
      for (int i = 0; i < job.stages().size(); i++) {
        String name = job.stages().get(i).rules().publish();
        if (!name.isEmpty()) {
          publishers
              .computeIfAbsent(name, _ -> new ArrayList<>())
              .add(new DataCircle.Publisher(new JobId(-jobs.size()), i));
        }
      }
    }

    /** The stages that are to publish data of a name; their jobs have numbers below zero here. */
    List<DataCircle.Publisher> publishing(String name) {
      return publishers.getOrDefault(name, List.of());
    }

    DataCircle.Walked job(JobId id) {
      int number = (int) -id.value();
      JobSpec job = jobs.get(number - 1);
      String name = "'%s' (number %d of those submitted together)".formatted(job.name(), number);
      return DataCircle.Walked.of(name, job);
    }
  }
}
