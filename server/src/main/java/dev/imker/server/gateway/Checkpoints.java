package dev.imker.server.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.core.message.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.SettingPut;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.PoolState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Where attempts of tasks can continue: the files last saved by an earlier attempt. Kept as
 * settings; there are few, because only long tasks save anything.
 */
public final class Checkpoints {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String KEY = "checkpoint/";

  private final Function<String, Optional<String>> settings;

  /** Java tasks that have saved something and are not settled. */
  private final Set<TaskId> kept = ConcurrentHashMap.newKeySet();

  /**
   * @param settings reads what was kept under a key
   */
  Checkpoints(Function<String, Optional<String>> settings) {
    this.settings = settings;
  }

  /** Keeps a checkpoint if it comes from whoever has the task now. */
  void keep(PoolState pool, AgentId agent, Lease lease, List<InputFile> files, Outbox out) {
    if (!pool.scheduler().view().leases(agent).contains(lease)) {
      return;
    }
    try {
      kept.add(lease.task());
      out.change(new SettingPut(key(lease.task()), MAPPER.writeValueAsString(files)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("files that are not JSON", e);
    }
  }

  /** Forgets the checkpoint of a task that needs no further attempt. */
  void forgetIfSettled(PoolState pool, TaskId task, Outbox out) {
    LiveJob job = pool.job(task.job());
    TaskState state = pool.scheduler().view().state(task);
    if (job != null
        && state != null
        && state.isSettled()
        && (kept.remove(task) || saves(job, task))) {
      out.change(new SettingPut(key(task), ""));
    }
  }

  /** Whether an earlier attempt may have saved something. */
  static boolean mayBe(LiveJob job, TaskId task, int attempt) {
    return attempt > 1 && (saves(job, task) || job.spec().kind() == JobKind.JAVA);
  }

  /** What an attempt is to begin with. Reads, so never call it on the loop's thread. */
  List<InputFile> of(LiveJob job, TaskId task, int attempt) {
    return attempt <= 1 ? List.of() : saved(job, task);
  }

  /** What attempts of a task have saved; reads too. */
  List<InputFile> saved(LiveJob job, TaskId task) {
    if (!(saves(job, task) || job.spec().kind() == JobKind.JAVA)) {
      return List.of();
    }
    List<InputFile> files = saved(settings, task);
    if (!files.isEmpty()) {
      kept.add(task);
    }
    return files;
  }

  /**
   * What attempts of a task have saved, whatever its job says.
   *
   * @param settings reads what was kept under a key
   */
  public static List<InputFile> saved(Function<String, Optional<String>> settings, TaskId task) {
    return settings
        .apply(key(task))
        .filter(text -> !text.isEmpty())
        .map(Checkpoints::read)
        .orElse(List.of());
  }

  /** Java tasks save when they like; the rules of other jobs say so. */
  private static boolean saves(LiveJob job, TaskId task) {
    return job.spec().stageOf(task.index()).rules().checkpointMillis() > 0;
  }

  private static List<InputFile> read(String text) {
    try {
      return MAPPER.readValue(text, new TypeReference<List<InputFile>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a checkpoint that cannot be read: " + text, e);
    }
  }

  private static String key(TaskId task) {
    return KEY + task;
  }
}
