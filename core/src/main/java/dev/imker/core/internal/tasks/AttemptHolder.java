package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;
import dev.imker.model.AgentId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An agent as the holder of attempts. */
public abstract class AttemptHolder {
  private final AgentId id;
  private final NodeProfile profile;
  private final RecentTokens accepted = new RecentTokens();
  private @Nullable LiveAttempt firstAttempt;
  private int held;
  private int heldOfUnknownLength;
  private double backlogMillis;

  /** Why its owner froze its tasks; empty while they run. */
  public String pause = "";

  /**
   * Its connection ended, and it has not come back: most likely its process did, too. One that is
   * known only from a restored lease has not had the time to come.
   */
  public boolean hungUp;

  public AttemptHolder(AgentId id, NodeProfile profile) {
    this.id = id;
    this.profile = profile;
  }

  public AgentId id() {
    return id;
  }

  public NodeProfile profile() {
    return profile;
  }

  public int held() {
    return held;
  }

  /** How many of the attempts it holds have no expected run time. */
  public int heldOfUnknownLength() {
    return heldOfUnknownLength;
  }

  /** The expected run times of all others together. */
  public double backlogMillis() {
    return backlogMillis;
  }

  public RecentTokens accepted() {
    return accepted;
  }

  public @Nullable LiveAttempt firstAttempt() {
    return firstAttempt;
  }

  public List<LiveAttempt> attempts() {
    List<LiveAttempt> attempts = new ArrayList<>(held);
    for (LiveAttempt a = firstAttempt; a != null; a = a.afterOfAgent) {
      attempts.add(a);
    }
    return attempts;
  }

  public void add(LiveAttempt attempt) {
    held++;
    if (attempt.expectedMillis < 0) {
      heldOfUnknownLength++;
    } else {
      backlogMillis += attempt.expectedMillis;
    }
    attempt.afterOfAgent = firstAttempt;
    if (firstAttempt != null) {
      firstAttempt.beforeOfAgent = attempt;
    }
    firstAttempt = attempt;
  }

  public void remove(LiveAttempt attempt) {
    held--;
    if (attempt.expectedMillis < 0) {
      heldOfUnknownLength--;
    } else {
      // Sums of fractions drift; an agent that holds nothing starts from zero again.
      backlogMillis = held == 0 ? 0 : backlogMillis - attempt.expectedMillis;
    }
    LiveAttempt earlier = attempt.beforeOfAgent;
    LiveAttempt later = attempt.afterOfAgent;
    if (earlier == null) {
      firstAttempt = later;
    } else {
      earlier.afterOfAgent = later;
    }
    if (later != null) {
      later.beforeOfAgent = earlier;
    }
    attempt.beforeOfAgent = null;
    attempt.afterOfAgent = null;
  }
}
