package dev.imker.core.message;

import dev.imker.core.profile.PoolTime;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.model.ProjectId;
import java.util.List;

/**
 * What the owner of an agent lends it for.
 *
 * @param serves whom, in the order of preference: {@code user}, {@code user/project}, {@code
 *     *}{@code /project}, or {@code *} for everybody; empty: everybody alike
 * @param longestMillis takes only work that is expected to be done within this time; 0: any. Of a
 *     project whose run times are unknown it gets one task at a time, as a trial
 * @param sandboxed whether tasks see nothing of the machine but what they are given
 * @param within whom an admin restricts it to, in no order; empty: everybody
 * @param exposedTo the only users whose tasks may run there without a sandbox; empty: everybody
 */
public record AgentOffer(
    List<String> serves,
    long longestMillis,
    boolean sandboxed,
    List<String> within,
    List<String> exposedTo) {
  public static final AgentOffer ANYTHING = new AgentOffer(List.of(), 0);

  public static final int NOT_SERVED = Integer.MAX_VALUE;

  public AgentOffer {
    serves = List.copyOf(serves);
    within = List.copyOf(within);
    exposedTo = List.copyOf(exposedTo);
  }

  /** One with a sandbox that no admin restricts. */
  public AgentOffer(List<String> serves, long longestMillis) {
    this(serves, longestMillis, true, List.of(), List.of());
  }

  public AgentOffer withSandbox(boolean next) {
    return new AgentOffer(serves, longestMillis, next, within, exposedTo);
  }

  AgentOffer within(List<String> next) {
    return new AgentOffer(serves, longestMillis, sandboxed, next, exposedTo);
  }

  AgentOffer exposedTo(List<String> next) {
    return new AgentOffer(serves, longestMillis, sandboxed, within, next);
  }

  public boolean isRestricted() {
    return !serves.isEmpty() || longestMillis > 0 || !within.isEmpty() || !exposedTo.isEmpty();
  }

  /** Whether the lack of a sandbox keeps tasks of the project away. */
  public boolean isTooExposedFor(ProjectId project) {
    return !exposedTo.isEmpty() && !exposedTo.contains(project.user());
  }

  public boolean serves(ProjectProfile project) {
    return rank(project) != NOT_SERVED;
  }

  /** The place of a project in its order of preference; {@link #NOT_SERVED} if it has none. */
  public int rank(ProjectProfile project) {
    if (!isShort(project) || !isWithin(project.project())) {
      return NOT_SERVED;
    }
    for (int i = 0; i < serves.size(); i++) {
      if (matches(serves.get(i), project.project())) {
        return i;
      }
    }
    return serves.isEmpty() ? 0 : NOT_SERVED;
  }

  private boolean isWithin(ProjectId project) {
    return (within.isEmpty() || isNamed(within, project)) && !isTooExposedFor(project);
  }

  /** Whether any of the patterns means the project. */
  public static boolean isNamed(List<String> patterns, ProjectId project) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, project));
  }

  private boolean isShort(ProjectProfile project) {
    if (longestMillis <= 0) {
      return true;
    }
    return project.isRunTimeKnown()
        ? project.runMinutes() * PoolTime.MILLIS_PER_MINUTE <= longestMillis
        : project.working() == 0;
  }

  private static boolean matches(String pattern, ProjectId project) {
    int slash = pattern.indexOf('/');
    String user = slash < 0 ? pattern : pattern.substring(0, slash);
    String name = slash < 0 ? "*" : pattern.substring(slash + 1);
    return (user.equals("*") || user.equals(project.user()))
        && (name.equals("*") || name.equals(project.name()));
  }
}
