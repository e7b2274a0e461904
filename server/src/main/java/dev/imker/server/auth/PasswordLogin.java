package dev.imker.server.auth;

import dev.imker.model.account.Account;
import java.time.Clock;
import java.util.Optional;

/** Login by password, slowed down for those who guess. */
public final class PasswordLogin {
  private final Accounts accounts;
  private final LoginThrottle throttle = new LoginThrottle();
  private final Clock clock;

  public PasswordLogin(Accounts accounts, Clock clock) {
    this.accounts = accounts;
    this.clock = clock;
  }

  /** How long this user from this address has to wait before the next try; 0 if not at all. */
  public long pauseMillis(String user, String address) {
    long now = clock.millis();
    return Math.max(
        throttle.pauseMillis("user " + user, now), throttle.pauseMillis("from " + address, now));
  }

  /** The account, if the password is right and the account may be used. */
  public Optional<Account> check(String user, String password, String address) {
    Optional<Account> account = accounts.usable(user);
    boolean right = Passwords.matches(account.map(Account::passwordHash).orElse(""), password);
    if (right) {
      throttle.succeeded("user " + user);
      throttle.succeeded("from " + address);
      return account;
    }
    throttle.failed("user " + user, clock.millis());
    throttle.failed("from " + address, clock.millis());
    return Optional.empty();
  }
}
