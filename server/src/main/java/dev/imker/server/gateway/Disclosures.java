package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import dev.imker.model.BlobId;
import dev.imker.model.Lease;
import dev.imker.model.recent.RecentMap;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files that agents were told of in addition to those in the description of a job, which they
 * may fetch. In memory only: missing ones are looked up again. Thread-safe.
 */
final class Disclosures {
  private static final int MAX_LEASES = 10_000;
  private static final int MAX_OUTCOMES = 20_000;

  private static final class Told {
    final Map<Lease, Set<BlobId>> byLease =
        Collections.synchronizedMap(RecentMap.ofNewest(MAX_LEASES));
    final Map<BlobId, Boolean> outcomes =
        Collections.synchronizedMap(RecentMap.ofNewest(MAX_OUTCOMES));
  }

  private final Map<AgentId, Told> agents = new ConcurrentHashMap<>();

  private Told told(AgentId agent) {
    return agents.computeIfAbsent(agent, _ -> new Told());
  }

  /** The files that go with one task. */
  void ofTask(AgentId agent, Lease lease, Set<BlobId> blobs) {
    told(agent).byLease.put(lease, blobs);
  }

  /** The outcome of a task that a task of this agent spawned. */
  void outcome(AgentId agent, BlobId blob) {
    told(agent).outcomes.put(blob, true);
  }

  void ended(AgentId agent, Lease lease) {
    Told told = agents.get(agent);
    if (told != null) {
      told.byLease.remove(lease);
    }
  }

  boolean hasOutcome(AgentId agent, BlobId blob) {
    Told told = agents.get(agent);
    return told != null && told.outcomes.containsKey(blob);
  }

  /** What was told with a task; empty if that is not known any more. */
  Optional<Set<BlobId>> ofTask(AgentId agent, Lease lease) {
    Told told = agents.get(agent);
    return told == null ? Optional.empty() : Optional.ofNullable(told.byLease.get(lease));
  }
}
