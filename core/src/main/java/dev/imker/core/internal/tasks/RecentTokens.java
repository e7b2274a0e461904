package dev.imker.core.internal.tasks;

import dev.imker.model.LeaseToken;
import java.util.HashSet;
import java.util.Set;

/**
 * Remembers at least the newest {@link #GENERATION} tokens, and at most twice as many: when the
 * newer generation is full it becomes the older one. An agent has fewer reports in flight than
 * that.
 */
public final class RecentTokens {
  static final int GENERATION = 8192;

  private Set<LeaseToken> newer = new HashSet<>();
  private Set<LeaseToken> older = Set.of();

  public void add(LeaseToken token) {
    if (newer.size() == GENERATION) {
      older = newer;
      newer = new HashSet<>();
    }
    newer.add(token);
  }

  public boolean contains(LeaseToken token) {
    return newer.contains(token) || older.contains(token);
  }
}
