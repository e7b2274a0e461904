package dev.imker.core;

import dev.imker.core.profile.NodeProfile;
import dev.imker.model.AgentId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An agent as the holder of attempts. */
abstract class AttemptHolder {
  private final AgentId id;
  private final NodeProfile profile;
  private final RecentTokens accepted = new RecentTokens();
  private @Nullable LiveAttempt firstAttempt;
  private int held;
  private int heldOfUnknownLength;
  private double backlogMillis;

  /** Why its owner has its tasks frozen; empty while they run. */
  String pause = "";

  AttemptHolder(AgentId id, NodeProfile profile) {
    this.id = id;
    this.profile = profile;
  }

  AgentId id() {
    return id;
  }

  NodeProfile profile() {
    return profile;
  }

  int held() {
    return held;
  }

  /** How many of the attempts it holds have no expected run time. */
  int heldOfUnknownLength() {
    return heldOfUnknownLength;
  }

  /** The expected run times of all others together. */
  double backlogMillis() {
    return backlogMillis;
  }

  RecentTokens accepted() {
    return accepted;
  }

  @Nullable LiveAttempt firstAttempt() {
    return firstAttempt;
  }

  List<LiveAttempt> attempts() {
    List<LiveAttempt> attempts = new ArrayList<>(held);
    for (LiveAttempt a = firstAttempt; a != null; a = a.afterOfAgent) {
      attempts.add(a);
    }
    return attempts;
  }

  void add(LiveAttempt attempt) {
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

  void remove(LiveAttempt attempt) {
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
