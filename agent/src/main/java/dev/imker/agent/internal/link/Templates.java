package dev.imker.agent.internal.link;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.model.job.TaskTemplate;
import dev.imker.model.recent.RecentMap;
import dev.imker.wire.proto.JobDescription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Descriptions of stages of jobs, the latest used ones, and the leases that wait for one. */
final class Templates {
  private static final int KEPT = 1000;
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** Tasks of one stage of a job are alike. */
  private record Key(long job, int stage) {
    static Key of(HeldLease held) {
      return new Key(held.job(), held.stage());
    }
  }

  private final Map<Key, TaskTemplate> byStage = RecentMap.ofLastUsed(KEPT);
  private final Map<Key, List<HeldLease>> waiting = new HashMap<>();

  /** The template of the task's stage; without one the lease waits until it comes. */
  synchronized @Nullable TaskTemplate findOrWait(HeldLease held) {
    Key key = Key.of(held);
    TaskTemplate template = byStage.get(key);
    if (template == null) {
      waiting.computeIfAbsent(key, _ -> new ArrayList<>()).add(held);
    }
    return template;
  }

  /** Takes a description; returns the leases that waited for it. */
  synchronized List<HeldLease> add(long job, int stage, TaskTemplate template) {
    Key key = new Key(job, stage);
    byStage.put(key, template);
    List<HeldLease> waited = waiting.remove(key);
    return waited == null ? List.of() : waited;
  }

  /** No description that could be read will come; returns the leases that waited for it. */
  synchronized List<HeldLease> giveUp(long job, int stage) {
    List<HeldLease> waited = waiting.remove(new Key(job, stage));
    return waited == null ? List.of() : waited;
  }

  /** No description will come for this lease. */
  synchronized void dropWaiting(HeldLease held) {
    Key key = Key.of(held);
    List<HeldLease> others = waiting.get(key);
    if (others != null && others.remove(held) && others.isEmpty()) {
      waiting.remove(key);
    }
  }

  static TaskTemplate read(JobDescription description) throws IOException {
    return JSON.readValue(description.getSpecJson().toByteArray(), TaskTemplate.class);
  }
}
