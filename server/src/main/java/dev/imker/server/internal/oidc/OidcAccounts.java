package dev.imker.server.internal.oidc;

import dev.imker.model.account.Account;
import dev.imker.model.account.AccountRole;
import dev.imker.model.account.Quota;
import dev.imker.model.change.SettingPut;
import dev.imker.server.internal.auth.AccountCommands;
import dev.imker.server.internal.auth.AccountException;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.store.PoolStore;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whose account a login opens. An account belongs to the person it was made for: neither another
 * person of the same name nor a login at another provider opens it, and none that an admin made.
 */
public final class OidcAccounts {
  private static final String KEY = "oidc.account/";

  private final Accounts accounts;
  private final AccountCommands commands;
  private final PoolStore store;

  public OidcAccounts(Accounts accounts, AccountCommands commands, PoolStore store) {
    this.accounts = accounts;
    this.commands = commands;
    this.store = store;
  }

  /** The account of somebody, made at the first login, with the role that the groups give now. */
  public Account admit(OidcSettings settings, OidcPerson person) throws InterruptedException {
    AccountRole role =
        settings
            .role(person.groups())
            .orElseThrow(
                () ->
                    new OidcRefusedException(
                        "None of your groups may use this pool; ask an admin (settings oidc.admins,"
                            + " oidc.users and oidc.viewers)."));
    String name = person.name().replaceFirst("@.*", "").toLowerCase(Locale.ROOT);
    Optional<Account> known = accounts.find(name);
    if (known.isEmpty()) {
      return made(name, role, person);
    }
    Account account = known.get();
    if (!store.setting(KEY + name).equals(Optional.of(owner(account, person)))) {
      throw new OidcRefusedException(
          "The user %s of this pool is somebody else, or was created by an admin; ask an admin."
              .formatted(name));
    }
    if (account.disabled()) {
      throw new OidcRefusedException("The user " + name + " is disabled; ask an admin.");
    }
    return account.role() == role ? account : commands.setRole(name, role);
  }

  private Account made(String name, AccountRole role, OidcPerson person)
      throws InterruptedException {
    try {
      return commands.add(
          name,
          role,
          "",
          Quota.NONE,
          account -> List.of(new SettingPut(KEY + name, owner(account, person))));
    } catch (AccountException e) {
      throw new OidcRefusedException(String.valueOf(e.getMessage()), e);
    }
  }

  /** One that was removed and made again is another account. */
  private static String owner(Account account, OidcPerson person) {
    return account.createdMillis() + " " + person.issuer() + " " + person.subject();
  }
}
