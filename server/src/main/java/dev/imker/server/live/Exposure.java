package dev.imker.server.live;

import dev.imker.core.message.AgentHello;
import dev.imker.model.account.Account;
import dev.imker.model.account.AccountRole;
import dev.imker.server.internal.auth.Identity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whose tasks may run without a sandbox: those of admins, who can read everything anyway. In a pool
 * of one account that is everybody, but for tasks that a removed account has left. An admin may
 * allow a node for all. Belongs to the loop's thread.
 */
final class Exposure {
  private final Map<String, AccountRole> roles = new TreeMap<>();

  Exposure() {
    roles.put(Identity.ADMIN_NAME, AccountRole.ADMIN);
  }

  /** Returns whether that changes anything. */
  boolean put(Account account) {
    return roles.put(account.name(), account.role()) != account.role();
  }

  boolean remove(String account) {
    return !account.equals(Identity.ADMIN_NAME) && roles.remove(account) != null;
  }

  /** The only users whose tasks the agent may run; empty: everybody. */
  List<String> of(AgentHello hello) {
    if (hello.offer().sandboxed() || hello.terms().unsandboxed() != null) {
      return List.of();
    }
    return roles.keySet().stream().filter(u -> roles.get(u) == AccountRole.ADMIN).toList();
  }
}
