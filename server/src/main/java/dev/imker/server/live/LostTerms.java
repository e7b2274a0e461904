package dev.imker.server.live;

import dev.imker.core.message.AgentHello;
import dev.imker.model.Lease;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the database was restored from a backup: agents remember terms of leaders, as the
 * epoch and the incarnation of each, that the database knows nothing of. What they did in those
 * terms does not count here; their leases are refused like any other that is not known.
 */
public final class LostTerms {
  private static final Logger LOG = LoggerFactory.getLogger(LostTerms.class);

  /** A term that an agent remembers and the database does not. */
  public record Evidence(String agentName, long epoch) {}

  private final long epoch;
  private final Map<Long, Long> incarnations;
  private Optional<Evidence> first = Optional.empty();

  /**
   * @param epoch the present one
   * @param incarnations of all terms that the database knows, by epoch
   */
  public LostTerms(long epoch, Map<Long, Long> incarnations) {
    this.epoch = epoch;
    this.incarnations = incarnations;
  }

  /** The first term that was missed since this server leads. */
  public Optional<Evidence> first() {
    return first;
  }

  /**
   * An agent came.
   *
   * @param lastEpoch of the leader that it last had; 0 if it never had one
   */
  public void heard(AgentHello hello, long lastEpoch, long lastIncarnation) {
    if (lastEpoch > 0 && !isKnown(lastEpoch, lastIncarnation)) {
      missed(hello, lastEpoch);
      return;
    }
    for (Lease lease : hello.held()) {
      if (!isKnown(lease.token().epoch(), lease.token().incarnation())) {
        missed(hello, lease.token().epoch());
        return;
      }
    }
  }

  private boolean isKnown(long ofEpoch, long incarnation) {
    return ofEpoch <= epoch && incarnations.getOrDefault(ofEpoch, 0L) == incarnation;
  }

  private void missed(AgentHello hello, long lost) {
    LOG.warn(
        "Agent {} worked for a leader of epoch {}, which this database has no record of:"
            + " the database was restored from a backup, or the agent comes from another pool."
            + " Work done after the backup does not count here.",
        hello.name(),
        lost);
    if (first.isEmpty()) {
      first = Optional.of(new Evidence(hello.name(), lost));
    }
  }
}
