package dev.imker.server.internal.auth;

import dev.imker.model.account.Account;
import java.net.InetAddress;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;

/** Login by password, with protection against guessing. */
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
        throttle.pauseMillis(pair(user, address), now),
        throttle.pauseMillis("from " + net(address), now));
  }

  /** The account, if the password is right and the account may be used. */
  public Optional<Account> check(String user, String password, String address) {
    Optional<Account> account = accounts.usable(user);
    boolean right = Passwords.matches(account.map(Account::passwordHash).orElse(""), password);
    if (right) {
      throttle.succeeded(pair(user, address));
      throttle.succeeded("from " + net(address));
      return account;
    }
    throttle.failed(pair(user, address), clock.millis());
    throttle.failed("from " + net(address), clock.millis());
    return Optional.empty();
  }

  /** Only those who fail have to wait: nobody locks a user out from elsewhere. */
  private static String pair(String user, String address) {
    return "user " + user + " from " + net(address);
  }

  /** Whoever has one address of IPv6 has all of its network of 64 bits. */
  static String net(String address) {
    try {
      byte[] bytes = InetAddress.ofLiteral(address).getAddress();
      return bytes.length == 16 ? HexFormat.of().formatHex(bytes, 0, 8) : address;
    } catch (IllegalArgumentException e) {
      return address;
    }
  }
}
