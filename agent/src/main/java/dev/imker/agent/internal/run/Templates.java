package dev.imker.agent.internal.run;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.TaskTemplate;
import dev.imker.wire.proto.JobDescription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Descriptions of jobs, the latest used ones, and the leases that wait for one. */
final class Templates {
  private static final int KEPT = 1000;
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final Map<Long, TaskTemplate> byJob =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, TaskTemplate> eldest) {
          return size() > KEPT;
        }
      };
  private final Map<Long, List<HeldLease>> waiting = new HashMap<>();

  /** The job's template; without one the lease waits until it comes. */
  synchronized @Nullable TaskTemplate findOrWait(HeldLease held) {
    TaskTemplate template = byJob.get(held.job());
    if (template == null) {
      waiting.computeIfAbsent(held.job(), _ -> new ArrayList<>()).add(held);
    }
    return template;
  }

  /** Takes a description; returns the leases that waited for it. */
  synchronized List<HeldLease> add(long job, TaskTemplate template) {
    byJob.put(job, template);
    List<HeldLease> waited = waiting.remove(job);
    return waited == null ? List.of() : waited;
  }

  /** No description will come for this lease. */
  synchronized void dropWaiting(HeldLease held) {
    List<HeldLease> others = waiting.get(held.job());
    if (others != null && others.remove(held) && others.isEmpty()) {
      waiting.remove(held.job());
    }
  }

  static TaskTemplate read(JobDescription description) throws IOException {
    return JSON.readValue(description.getSpecJson().toByteArray(), TaskTemplate.class);
  }
}
