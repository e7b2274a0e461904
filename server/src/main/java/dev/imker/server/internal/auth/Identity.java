package dev.imker.server.internal.auth;

import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A caller whose token was checked.
 *
 * @param user whose work this caller may see, unless the role is one that sees all
 * @param held the lease of a task that calls, and who says so; whether it is still valid is to be
 *     asked
 * @param stamp of the key that an agent had when its token was made; 0 for others
 */
public record Identity(String user, Role role, @Nullable Held held, long stamp) {
  /** What a task claims to hold. */
  public record Held(AgentId agent, Lease lease) {}

  public static final String ADMIN_NAME = "admin";
  public static final String AGENT_NAME = "agent";
  public static final Identity ADMIN = new Identity(ADMIN_NAME, Role.ADMIN);

  public Identity(String user, Role role) {
    this(user, role, null, 0);
  }

  Identity(String user, Held held) {
    this(user, Role.TASK, held, 0);
  }

  /** An agent, and what tells its key from others that it may have had. */
  static Identity agent(String id, long stamp) {
    return new Identity(id, Role.AGENT, null, stamp);
  }

  /** Whose work this caller is limited to; null means everybody's. */
  public @Nullable String onlyUser() {
    return role == Role.ADMIN ? null : user;
  }

  public boolean maySee(String owner) {
    String only = onlyUser();
    return only == null || only.equals(owner);
  }
}
