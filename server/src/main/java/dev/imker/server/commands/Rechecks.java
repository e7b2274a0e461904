package dev.imker.server.commands;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.Doubt;
import dev.imker.model.change.SettingPut;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.AttemptRecord;
import dev.imker.store.PoolStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rechecks the earlier results of a node that returned a wrong one. Results that no other node has
 * confirmed are computed again elsewhere. The doubt stays in the settings until this is ordered, so
 * that it survives the server; ordering it twice has no further effect.
 */
public final class Rechecks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rechecks.class);
  private static final String LOOKED_AT = "rechecked/";
  private static final Duration WINDOW = Duration.ofDays(7);
  private static final int MAX_RESULTS = 1_000;
  private static final long EVERY_MILLIS = 1_000;

  /** Results of a node that were looked at again. */
  public record Suspect(NodeId node, List<TaskId> tasks) {}

  private final PoolStore store;
  private final SchedulerLoop loop;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofVirtual().name("imker-rechecks").factory());

  public Rechecks(PoolStore store, SchedulerLoop loop) {
    this.store = store;
    this.loop = loop;
  }

  public void start() {
    var _ =
        thread.scheduleWithFixedDelay(
            this::lookOrWarn, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void lookOrWarn() {
    try {
      if (loop.isLeading()) {
        look();
      }
    } catch (ImkerException e) {
      LOG.warn("Could not re-check results of suspect nodes yet: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("Could not re-check results of suspect nodes", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has all results made again that are to be doubted now; returns how many. */
  int look() throws InterruptedException {
    int repeated = 0;
    for (Map.Entry<String, String> entry : store.settings(Doubt.SETTING).entrySet()) {
      repeated += look(Doubt.parse(entry.getKey(), entry.getValue()));
    }
    return repeated;
  }

  private int look(Doubt doubt) throws InterruptedException {
    NodeId node = doubt.node();
    long since = doubt.atMillis() - WINDOW.toMillis();
    List<TaskId> tasks = store.reads().unconfirmed(node, since, MAX_RESULTS);
    if (!tasks.isEmpty()) {
      put(lookedAt(node, tasks));
    }
    Map<JobId, List<TaskId>> byJob =
        tasks.stream()
            .collect(Collectors.groupingBy(TaskId::job, LinkedHashMap::new, Collectors.toList()));
    int repeated = 0;
    for (Map.Entry<JobId, List<TaskId>> job : byJob.entrySet()) {
      repeated += repeat(job.getKey(), job.getValue(), node);
    }
    if (repeated > 0) {
      LOG.warn("Node {} returned a wrong result; re-running {} others", node, repeated);
    }
    put(doubt.removal());
    return repeated;
  }

  private void put(SettingPut setting) throws InterruptedException {
    Await.answer(
        loop.change(
            (pool, nowMillis, out) -> {
              out.change(setting);
              return true;
            }));
  }

  private int repeat(JobId job, List<TaskId> tasks, NodeId node) throws InterruptedException {
    String why = Doubt.REASON + "node " + node + " returned a wrong result elsewhere";
    return Await.answer(
        loop.change(
            (pool, nowMillis, out) -> {
              if (!pool.recall(job, nowMillis)) {
                return 0; // removed meanwhile
              }
              pool.recallBefore(job, nowMillis);
              int repeated = 0;
              for (TaskId task : tasks) {
                repeated += pool.scheduler().onDoubt(nowMillis, task, node, why, out) ? 1 : 0;
              }
              return repeated;
            }));
  }

  private SettingPut lookedAt(NodeId node, List<TaskId> tasks) {
    String key = LOOKED_AT + node.value();
    Set<String> all = new LinkedHashSet<>();
    tasks.forEach(task -> all.add(task.toString()));
    store.setting(key).ifPresent(before -> all.addAll(Arrays.asList(before.split(" "))));
    return new SettingPut(key, all.stream().limit(MAX_RESULTS).collect(Collectors.joining(" ")));
  }

  /** What was looked at again of late. */
  public static List<Suspect> suspects(PoolStore store) {
    return store.settings(LOOKED_AT).entrySet().stream()
        .map(
            entry ->
                new Suspect(
                    new NodeId(entry.getKey().substring(LOOKED_AT.length())),
                    Arrays.stream(entry.getValue().split(" ")).map(Rechecks::task).toList()))
        .toList();
  }

  /** Whether all that nodes came to before is what a task came to in the end. */
  public static boolean isConfirmed(AttemptReport last, List<AttemptRecord> history) {
    return history.stream()
        .map(AttemptRecord::report)
        .filter(report -> report != null && report.outcome() == AttemptOutcome.SUCCEEDED)
        .allMatch(report -> report.result().equals(last.result()));
  }

  private static TaskId task(String text) {
    int dot = text.indexOf('.');
    return TaskId.of(
        Long.parseLong(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)) - 1);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
