package dev.imker.core.message;

import dev.imker.model.LeaseToken;
import dev.imker.model.TaskState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How a job in memory and its tasks stand at one moment, to be compared with another picture. */
public final class JobPicture {
  private static final TaskState[] STATES = TaskState.values();
  private static final long SEQUENCE = (1L << LeaseToken.SEQUENCE_BITS) - 1;

  private final int priority;
  private final JobPhase phase;
  private final byte[] states;
  private final int[] tries;
  private final Map<Integer, List<LeaseToken>> leases;

  /**
   * @param states the ordinals of the tasks' states
   * @param tries of each task, how often it failed and, times 65536, was lost; empty if none was
   * @param leases that are open, by the position of their task
   */
  public JobPicture(
      int priority,
      JobPhase phase,
      byte[] states,
      int[] tries,
      Map<Integer, List<LeaseToken>> leases) {
    this.priority = priority;
    this.phase = phase;
    this.states = states.clone();
    this.tries = tries.clone();
    this.leases = Map.copyOf(leases);
  }

  public int size() {
    return states.length;
  }

  public boolean isSameAs(JobPicture other) {
    return isSameJobAs(other)
        && Arrays.equals(states, other.states)
        && leases.equals(other.leases)
        && hasSameTriesAs(other);
  }

  private boolean hasSameTriesAs(JobPicture other) {
    for (int i = 0; i < Math.max(tries.length, other.tries.length); i++) {
      if (tries(i) != other.tries(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the job as a whole stands the same, whatever its tasks do. */
  public boolean isSameJobAs(JobPicture other) {
    return priority == other.priority && phase.equals(other.phase) && size() == other.size();
  }

  public boolean isSameTaskAs(JobPicture other, int index) {
    return states[index] == other.states[index]
        && tries(index) == other.tries(index)
        && leases(index).equals(other.leases(index));
  }

  private int tries(int index) {
    return tries.length == 0 ? 0 : tries[index];
  }

  private List<LeaseToken> leases(int index) {
    return leases.getOrDefault(index, List.of());
  }

  /** The job as a whole. */
  public String inWords() {
    return "priority %d, %s, %,d tasks".formatted(priority, phase, size());
  }

  public String inWords(int index) {
    StringBuilder words = new StringBuilder(STATES[states[index]].name());
    if (tries(index) > 0) {
      words.append(
          ", failed %d and lost %d times".formatted(tries(index) & 0xFFFF, tries(index) >>> 16));
    }
    for (LeaseToken token : leases(index)) {
      words.append(", lease ").append(token.epoch()).append('.').append(token.value() & SEQUENCE);
    }
    return words.toString();
  }
}
