package dev.imker.server.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.imker.model.JobId;
import dev.imker.model.change.SettingPut;
import dev.imker.model.job.TaskLimits;
import dev.imker.server.http.Json;
import dev.imker.store.PoolStore;
import dev.imker.store.StoreException;
import java.util.List;

/** What single tasks of jobs have of their own, as settings: few jobs have any. */
public final class TaskLimitSettings {
  private static final String PREFIX = "tasks.limits.";

  private TaskLimitSettings() {}

  /** In order and apart; empty for nearly all jobs. */
  public static List<TaskLimits> of(PoolStore store, JobId job) {
    return parse(job, store.setting(PREFIX + job).orElse(""));
  }

  /** The same of what the setting says, or of an empty text. */
  public static List<TaskLimits> parse(JobId job, String json) {
    if (json.isEmpty()) {
      return List.of();
    }
    try {
      return Json.MAPPER.readValue(json, new TypeReference<List<TaskLimits>>() {});
    } catch (JsonProcessingException e) {
      throw new StoreException("The limits of tasks of job " + job + " cannot be read.", e);
    }
  }

  public static SettingPut put(JobId job, List<TaskLimits> limits) {
    try {
      return new SettingPut(
          PREFIX + job, limits.isEmpty() ? "" : Json.MAPPER.writeValueAsString(limits));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("limits that are not JSON", e);
    }
  }
}
