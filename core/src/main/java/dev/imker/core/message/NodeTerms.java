package dev.imker.core.message;

import dev.imker.model.job.JobKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * On which terms the pool uses a node, as an admin said. The owner's settings take precedence: a
 * node gets only what both allow.
 *
 * @param paused its tasks are frozen and it gets no others; null while it works
 * @param draining it finishes what it has and gets nothing more; null while it gets work
 * @param restriction what it is used for; null for anything
 * @param unsandboxed tasks of all accounts may run there without a sandbox; null if those of admins
 *     only
 */
public record NodeTerms(
    @Nullable Order paused,
    @Nullable Order draining,
    @Nullable Restriction restriction,
    @Nullable Order unsandboxed) {
  public static final NodeTerms NONE = new NodeTerms(null, null, null, null);

  /** Who ordered it, why (may be empty), and since when it applies. */
  public record Order(String by, String why, long sinceMillis) {
    public String inWords() {
      return "by " + by + (why.isEmpty() ? "" : ": " + why);
    }
  }

  /**
   * What a node is used for.
   *
   * @param serves users and projects, as in {@link AgentOffer#serves}; empty: everybody
   * @param kinds of jobs; empty: all
   * @param cores the most that each of its agents uses, one for each task; 0: all it has
   */
  public record Restriction(List<String> serves, Set<JobKind> kinds, int cores, Order order) {
    public Restriction {
      serves = List.copyOf(serves);
      kinds = Set.copyOf(kinds);
      if (cores < 0) {
        throw new IllegalArgumentException("a node with " + cores + " cores");
      }
    }
  }

  public NodeTerms withPaused(@Nullable Order order) {
    return new NodeTerms(order, draining, restriction, unsandboxed);
  }

  public NodeTerms withDraining(@Nullable Order order) {
    return new NodeTerms(paused, order, restriction, unsandboxed);
  }

  public NodeTerms withRestriction(@Nullable Restriction next) {
    return new NodeTerms(paused, draining, next, unsandboxed);
  }

  public NodeTerms withUnsandboxed(@Nullable Order order) {
    return new NodeTerms(paused, draining, restriction, order);
  }

  /** Why the node's tasks are to be frozen; empty while they may run. */
  public String pause() {
    return paused == null ? "" : paused.inWords();
  }

  public boolean takesWork() {
    return paused == null && draining == null;
  }

  public boolean takes(JobKind kind) {
    return restriction == null || restriction.kinds.isEmpty() || restriction.kinds.contains(kind);
  }

  public List<String> serves() {
    return restriction == null ? List.of() : restriction.serves;
  }

  /** How many of the given number it may use. */
  public int coresOf(int has) {
    return restriction == null || restriction.cores == 0 ? has : Math.min(has, restriction.cores);
  }
}
