package dev.imker.server.internal.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.imker.model.ImkerException;
import dev.imker.model.account.Account;
import dev.imker.model.connection.JoinToken;
import dev.imker.store.PoolStore;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Identifies callers by their tokens: the pool's own secrets, tokens of accounts, and tokens signed
 * by the server. The current state of an account counts, such as being disabled or removed, or its
 * role.
 */
public final class Authenticator {
  private static final Duration LOGIN_LINK = Duration.ofDays(1);
  public static final Duration SESSION = Duration.ofDays(30);

  private final PoolSecrets secrets;
  private final SignedTokens signed;
  private final Accounts accounts;
  private final EndedSessions ended;
  private final LoginTickets tickets = new LoginTickets();
  private final Clock clock;

  public Authenticator(PoolSecrets secrets, PoolStore store, Accounts accounts, Clock clock) {
    ended = new EndedSessions(store, clock.millis());
    this.secrets = secrets;
    this.accounts = accounts;
    this.clock = clock;
    signed = new SignedTokens(secrets.adminToken());
  }

  /** The caller who presents this token in a header. */
  public Optional<Identity> bearer(String token) {
    if (secrets.isAdminToken(token)) {
      return Optional.of(Identity.ADMIN);
    }
    if (secrets.isJoinSecret(token)) {
      return Optional.of(new Identity(JoinTokens.POOL, Role.JOIN));
    }
    if (token.startsWith(JoinToken.PREFIX)) {
      return joining(token);
    }
    if (token.startsWith(SignedTokens.JOIN_PREFIX)) {
      return signed.verifyJoin(token).map(id -> new Identity(id, Role.JOIN));
    }
    if (MessageDigest.isEqual(metricsToken().getBytes(UTF_8), token.getBytes(UTF_8))) {
      return Optional.of(new Identity("", Role.METRICS));
    }
    Optional<Identity> account = accounts.byToken(token, clock.millis()).map(Authenticator::of);
    return account.or(() -> task(token)).or(() -> agent(token));
  }

  /** Who presents a whole join token may do what its secret allows. */
  private Optional<Identity> joining(String token) {
    try {
      return bearer(JoinToken.parse(token).secret()).filter(caller -> caller.role() == Role.JOIN);
    } catch (ImkerException e) {
      return Optional.empty();
    }
  }

  /** What was signed for a person is a cookie, and ends with the session of its browser. */
  private Optional<Identity> agent(String token) {
    return signed(token).filter(caller -> caller.role() == Role.AGENT);
  }

  private Optional<Identity> task(String token) {
    return signed.verifyTask(token, clock.millis()).map(held -> new Identity("", held));
  }

  /** The caller whose browser presents this cookie; agents have none. */
  public Optional<Identity> cookie(String value) {
    return ended.hasEnded(value)
        ? Optional.empty()
        : signed(value).filter(caller -> caller.role().isPerson());
  }

  /** Learns of browsers that logged out at another server; called when this one begins to lead. */
  public void reload() {
    ended.reload(clock.millis());
  }

  /** A browser logged out: its cookie is worth nothing from now on, whoever kept a copy. */
  public void logout(String cookie) {
    if (cookie(cookie).isPresent()) {
      long now = clock.millis();
      ended.end(cookie, now, now + SESSION.toMillis());
    }
  }

  private Optional<Identity> signed(String token) {
    return signed.verify(token, clock.millis()).flatMap(this::present);
  }

  /** Who that is now; nobody, if the account has changed since in a way that ends sessions. */
  private Optional<Identity> present(SignedTokens.Signed token) {
    if (token.identity().role() == Role.AGENT) {
      return Optional.of(token.identity());
    }
    return accounts
        .usable(token.identity().user())
        .filter(account -> account.stamp() == token.stamp())
        .map(Authenticator::of);
  }

  static Identity of(Account account) {
    return new Identity(account.name(), Role.of(account.role()));
  }

  /** A word that logs one browser in, once. */
  public String loginTicket(Identity identity) {
    return tickets.issue(identity, clock.millis(), LOGIN_LINK.toMillis());
  }

  /** The cookie for a browser that presents a login ticket, the admin token or an API token. */
  public Optional<String> login(String word) {
    Optional<String> name =
        secrets.isAdminToken(word)
            ? Optional.of(Identity.ADMIN_NAME)
            : accounts
                .byToken(word, clock.millis())
                .map(Account::name)
                .or(() -> tickets.redeem(word, clock.millis()).map(Identity::user));
    return name.flatMap(accounts::usable).map(this::session);
  }

  /** The cookie for a browser whose user has proved to be this one. */
  public String session(Account account) {
    return session(account, SESSION);
  }

  /** The same, for so long. */
  public String session(Account account, Duration lasts) {
    return signed.issue(of(account), account.stamp(), clock.millis() + lasts.toMillis());
  }

  /** A word that nobody guesses. */
  public static String random() {
    return Secrets.random();
  }

  /** A secret that follows from those of the pool and a name, the same at all of its servers. */
  public String derived(String name) {
    return signed.derived(name);
  }

  /**
   * What an agent presents to fetch and store blobs.
   *
   * @param stamp of the key that it has proved to have
   */
  public String agentToken(String agent, long stamp) {
    return signed.issue(Identity.agent(agent, stamp), stamp, clock.millis() + SESSION.toMillis());
  }

  /** The secret part of a join token that an admin made. */
  public String joinSecret(String id) {
    return signed.joinSecret(id);
  }

  /** What whoever collects figures presents; it changes with the admin token. */
  public String metricsToken() {
    return "imker-m-" + signed.derived("metrics");
  }

  /** What web hooks of a user are signed with. */
  public String hookSecret(String user) {
    return signed.derived("web hook:" + user);
  }
}
