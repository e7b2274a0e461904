package dev.imker.server.internal.rest.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.change.SettingPut;
import dev.imker.planner.PlannedAction;
import dev.imker.server.commands.Await;
import dev.imker.server.http.Json;
import dev.imker.server.internal.rest.request.RecordReader;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.plan.ActionTimes;
import dev.imker.server.plan.PlanMemory;
import dev.imker.server.plan.PlanOrder;
import dev.imker.server.plan.PlannedStages;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.RunRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** What is kept of plans that are carried out: any server can go on from it. */
final class PlanRounds {
  private static final String ROUND = "planned/";
  private static final String TIMES = "plan-times/";
  private static final String KEY = "plan:";

  private final PoolStore store;
  private final BlobStore blobs;
  private final SchedulerLoop loop;
  private final PlanMemory memory;

  PlanRounds(PoolStore store, BlobStore blobs, SchedulerLoop loop, PlanMemory memory) {
    this.memory = memory;
    this.store = store;
    this.blobs = blobs;
    this.loop = loop;
  }

  /** The key under which the job of a round is submitted. */
  static String key(String name) {
    return KEY + name;
  }

  /** The name of the round that is carried out by the job with a key. */
  static Optional<String> named(String key) {
    return key.startsWith(KEY) ? Optional.of(key.substring(KEY.length())) : Optional.empty();
  }

  /** The name of the round after a round. */
  static String following(String name) {
    int colon = name.lastIndexOf(':');
    return name.substring(0, colon + 1) + (Integer.parseInt(name.substring(colon + 1)) + 1);
  }

  /**
   * Steps to the goal: those that were found before for the same, or else new ones.
   *
   * @param gone whether nobody needs them any more
   */
  List<List<PlannedAction>> plan(String user, Situation from, BooleanSupplier gone)
      throws InterruptedException {
    ActionTimes seconds =
        new ActionTimes(times(user, from.domain().name()), from.order().actions());
    String key = PlanMemory.key(from.question(seconds));
    Optional<List<List<PlannedAction>>> kept = memory.find(key, from.domain(), from.problem());
    if (kept.isPresent()) {
      return kept.get();
    }
    List<List<PlannedAction>> fresh = from.planned(seconds, gone);
    memory.keep(key, fresh);
    return fresh;
  }

  Optional<PlanRound> find(String name) {
    return store.setting(ROUND + name).map(PlanRounds::read);
  }

  /** The job that carries out a round; none if it was not submitted, or was removed. */
  Optional<JobRecord> job(String name) {
    return store.reads().byRequestKey(key(name));
  }

  /** All that are kept, by their names. */
  Map<String, PlanRound> all() {
    Map<String, PlanRound> all = new TreeMap<>();
    store
        .settings(ROUND)
        .forEach((name, text) -> all.put(name.substring(ROUND.length()), read(text)));
    return all;
  }

  /** Keeps a round, or forgets it. */
  void write(String name, Optional<PlanRound> round) throws IOException, InterruptedException {
    String text = round.isPresent() ? Json.MAPPER.writeValueAsString(round.get()) : "";
    Await.answer(loop.record(List.of(new SettingPut(ROUND + name, text))));
  }

  private static PlanRound read(String text) {
    return RecordReader.read(json(text), "", PlanRound.class);
  }

  private static JsonNode json(String text) {
    try {
      return Json.MAPPER.readTree(text);
    } catch (IOException e) {
      throw new IllegalStateException("the record of a plan cannot be read", e);
    }
  }

  PlanOrder order(PlanRound round) throws IOException {
    try (InputStream in = blobs.open(round.order())) {
      return RecordReader.read(Json.MAPPER.readTree(in), "", PlanOrder.class);
    }
  }

  /** Seconds that actions of a domain took a user's jobs so far. */
  Map<String, Double> times(String user, String domain) {
    return store
        .setting(timesOf(user, domain))
        .map(text -> RecordReader.read(json(text), "", PlannedJobs.Times.class).times())
        .orElse(Map.of());
  }

  private static String timesOf(String user, String domain) {
    return TIMES + user + "/" + domain;
  }

  /** Notes how long the actions of a job took. */
  void learn(PlanRound round, String domain, JobId job) throws IOException, InterruptedException {
    ActionTimes times = new ActionTimes(times(round.user(), domain), List.of());
    for (RunRecord run : store.reads().runs(job, round.actions().size())) {
      String action = round.actions().get(run.task().index());
      if (run.state() == TaskState.DONE && !action.isEmpty()) {
        times = times.after(PlannedStages.parse(action), run.runMillis() / 1000.0);
      }
    }
    String text = Json.MAPPER.writeValueAsString(new PlannedJobs.Times(times.known()));
    Await.answer(loop.record(List.of(new SettingPut(timesOf(round.user(), domain), text))));
  }

  /** Files that the next jobs of open plans could need. */
  static Stream<BlobId> files(PoolStore store) {
    return store.settings(ROUND).values().stream()
        .map(PlanRounds::read)
        .filter(round -> round.state() == PlanRound.State.RUNNING)
        .flatMap(round -> Stream.concat(Stream.of(round.order()), round.inputs().stream()));
  }
}
