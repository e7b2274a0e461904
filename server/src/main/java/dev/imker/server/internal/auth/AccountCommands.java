package dev.imker.server.internal.auth;

import dev.imker.model.account.Account;
import dev.imker.model.account.AccountRole;
import dev.imker.model.account.ApiToken;
import dev.imker.model.account.Quota;
import dev.imker.model.change.AccountPut;
import dev.imker.model.change.AccountRemoved;
import dev.imker.model.change.Change;
import dev.imker.model.change.TokenPut;
import dev.imker.model.change.TokenRemoved;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Changes of accounts and tokens, one after the other; each is on disk before it counts. */
public final class AccountCommands {
  static final String TOKEN_PREFIX = "imker-u-";
  private static final String NAME = "[a-z][a-z0-9._-]{0,31}";
  private static final int MAX_TOKENS = 1000;

  /** Writes changes; returns when they are on disk. */
  @FunctionalInterface
  public interface Book {
    void write(Change... changes) throws InterruptedException;
  }

  /** A token as it is shown once. */
  public record Issued(String word, ApiToken token) {}

  private final Accounts accounts;
  private final Book book;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  public AccountCommands(Accounts accounts, Book book, Clock clock) {
    this.accounts = accounts;
    this.book = book;
    this.clock = clock;
  }

  /** Adds an account; an empty password is none. */
  public Account add(String name, AccountRole role, String password, Quota quota)
      throws InterruptedException {
    return add(name, role, password, quota, _ -> List.of());
  }

  /** The same; what it brings along is there exactly if the account is. */
  public Account add(
      String name,
      AccountRole role,
      String password,
      Quota quota,
      Function<Account, List<Change>> along)
      throws InterruptedException {
    if (!name.matches(NAME) || name.equals(Identity.AGENT_NAME)) {
      throw new AccountException(
          "user",
          "user=%s: a user name has lower-case letters, digits, dots, - and _, starts with a letter, is"
                  .formatted(name)
              + " at most 32 characters long, and is not \"agent\".");
    }
    String hash = password.isEmpty() ? "" : Passwords.hash(password);
    lock.lock();
    try {
      if (accounts.find(name).isPresent()) {
        throw new AccountException("user", "There is a user " + name + " already.");
      }
      Account account = Account.of(name, role, clock.millis()).withQuota(quota);
      Account made = hash.isEmpty() ? account : account.withPasswordHash(hash);
      book.write(
          Stream.concat(Stream.of(new AccountPut(made)), along.apply(made).stream())
              .toArray(Change[]::new));
      accounts.put(made);
      return require(name);
    } finally {
      lock.unlock();
    }
  }

  public Account setPassword(String name, String password) throws InterruptedException {
    String hash = Passwords.hash(password);
    return change(name, account -> account.withPasswordHash(hash));
  }

  public Account setRole(String name, AccountRole role) throws InterruptedException {
    refuseAdmin(name, "keeps its role");
    return change(name, account -> account.withRole(role));
  }

  public Account setDisabled(String name, boolean disabled) throws InterruptedException {
    refuseAdmin(name, "cannot be disabled");
    return change(
        name, account -> account.disabled() == disabled ? account : account.withDisabled(disabled));
  }

  public Account setQuota(String name, Quota quota) throws InterruptedException {
    return change(name, account -> account.withQuota(quota));
  }

  public void remove(String name) throws InterruptedException {
    refuseAdmin(name, "cannot be removed");
    lock.lock();
    try {
      require(name);
      book.write(new AccountRemoved(name));
      accounts.remove(name);
    } finally {
      lock.unlock();
    }
  }

  /** A new token of an account; an earlier one of the same title that is over makes room. */
  public Issued issue(String name, String title, long expiresMillis) throws InterruptedException {
    lock.lock();
    try {
      require(name);
      Optional<ApiToken> same = token(name, title);
      if (same.isPresent()) {
        if (!same.get().isOver(clock.millis())) {
          throw new AccountException(
              "title",
              "There is already a token '" + title + "'; revoke it, or choose another name.");
        }
        drop(same.get());
      }
      if (accounts.tokens(name).size() >= MAX_TOKENS) {
        throw new AccountException(
            "title", "%s has %d tokens; revoke some.".formatted(name, MAX_TOKENS));
      }
      String word = TOKEN_PREFIX + Secrets.random();
      ApiToken token = new ApiToken(Secrets.hash(word), name, title, clock.millis(), expiresMillis);
      book.write(new TokenPut(token));
      accounts.put(token);
      return new Issued(word, token);
    } finally {
      lock.unlock();
    }
  }

  /** Ends a token; returns whether there was one. */
  public boolean revoke(String name, String title) throws InterruptedException {
    lock.lock();
    try {
      Optional<ApiToken> token = token(name, title);
      if (token.isPresent()) {
        drop(token.get());
      }
      return token.isPresent();
    } finally {
      lock.unlock();
    }
  }

  private void drop(ApiToken token) throws InterruptedException {
    book.write(new TokenRemoved(token.hash()));
    accounts.removeToken(token.hash());
  }

  private Optional<ApiToken> token(String name, String title) {
    return accounts.tokens(name).stream().filter(token -> token.title().equals(title)).findFirst();
  }

  private Account change(String name, UnaryOperator<Account> change) throws InterruptedException {
    lock.lock();
    try {
      put(change.apply(require(name)));
      return require(name);
    } finally {
      lock.unlock();
    }
  }

  private void put(Account account) throws InterruptedException {
    book.write(new AccountPut(account));
    accounts.put(account);
  }

  private Account require(String name) {
    return accounts
        .find(name)
        .orElseThrow(
            () -> new AccountException("user", "There is no user " + name + ".").asUnknown());
  }

  private static void refuseAdmin(String name, String why) {
    if (name.equals(Identity.ADMIN_NAME)) {
      throw new AccountException("user", "The user admin " + why + ".");
    }
  }
}
