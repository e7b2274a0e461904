package dev.imker.server.internal.auth;

import dev.imker.model.account.Account;
import dev.imker.model.account.AccountRole;
import dev.imker.model.account.ApiToken;
import dev.imker.store.AccountReads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * All accounts and tokens, in memory so that identifying a caller costs one hash. {@link
 * AccountCommands} changes them here only after they are on disk.
 */
public final class Accounts {
  private final Map<String, Account> byName = new ConcurrentHashMap<>();
  private final Map<String, ApiToken> byHash = new ConcurrentHashMap<>();

  public Accounts(AccountReads reads, long nowMillis) {
    byName.put(Identity.ADMIN_NAME, Account.of(Identity.ADMIN_NAME, AccountRole.ADMIN, nowMillis));
    reload(reads);
  }

  /** Takes over what another server has changed. */
  public final void reload(AccountReads reads) {
    List<Account> accounts = reads.accounts();
    List<ApiToken> tokens = reads.tokens();
    accounts.forEach(this::put);
    tokens.forEach(this::put);
    Set<String> names = accounts.stream().map(Account::name).collect(Collectors.toSet());
    Set<String> hashes = tokens.stream().map(ApiToken::hash).collect(Collectors.toSet());
    byName.keySet().removeIf(name -> !names.contains(name) && !name.equals(Identity.ADMIN_NAME));
    byHash.keySet().retainAll(hashes);
  }

  void put(Account account) {
    byName.put(account.name(), account);
  }

  void put(ApiToken token) {
    byHash.put(token.hash(), token);
  }

  void removeToken(String hash) {
    byHash.remove(hash);
  }

  void remove(String account) {
    byName.remove(account);
    byHash.values().removeIf(token -> token.account().equals(account));
  }

  public Optional<Account> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public boolean isAdmin(String name) {
    return usable(name).filter(account -> account.role() == AccountRole.ADMIN).isPresent();
  }

  /** An account that may be used now. */
  public Optional<Account> usable(String name) {
    return find(name).filter(account -> !account.disabled());
  }

  public List<Account> all() {
    return byName.values().stream().sorted((a, b) -> a.name().compareTo(b.name())).toList();
  }

  /** Tokens of an account by title. */
  public List<ApiToken> tokens(String account) {
    return byHash.values().stream()
        .filter(token -> token.account().equals(account))
        .sorted((a, b) -> a.title().compareTo(b.title()))
        .toList();
  }

  /** The account that a valid token stands for. */
  Optional<Account> byToken(String word, long nowMillis) {
    if (!word.startsWith(AccountCommands.TOKEN_PREFIX)) {
      return Optional.empty();
    }
    return Optional.ofNullable(byHash.get(Secrets.hash(word)))
        .filter(token -> !token.isOver(nowMillis))
        .flatMap(token -> usable(token.account()));
  }
}
