package dev.imker.server.auth;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Knows callers by their tokens. Users with accounts will be another source of identities here. */
public final class Authenticator {
  private static final Duration LOGIN_LINK = Duration.ofDays(1);
  public static final Duration SESSION = Duration.ofDays(30);

  private final PoolSecrets secrets;
  private final SignedTokens signed;
  private final LoginTickets tickets = new LoginTickets();
  private final Clock clock;

  public Authenticator(PoolSecrets secrets, Clock clock) {
    this.secrets = secrets;
    this.clock = clock;
    signed = new SignedTokens(secrets.adminToken());
  }

  /** The caller who presents this token in a header. */
  public Optional<Identity> bearer(String token) {
    if (secrets.isAdminToken(token)) {
      return Optional.of(Identity.ADMIN);
    }
    if (secrets.isJoinSecret(token)) {
      return Optional.of(Identity.AGENT);
    }
    return signed.verify(token, clock.millis());
  }

  /** The caller whose browser presents this cookie; agents have none. */
  public Optional<Identity> cookie(String value) {
    return signed.verify(value, clock.millis()).filter(caller -> caller.role() != Role.AGENT);
  }

  /** A word that logs one browser in, once. */
  public String loginTicket(Identity identity) {
    return tickets.issue(identity, clock.millis(), LOGIN_LINK.toMillis());
  }

  /** The cookie for a browser that presents a login ticket or the admin token. */
  public Optional<String> login(String word) {
    Optional<Identity> caller =
        secrets.isAdminToken(word)
            ? Optional.of(Identity.ADMIN)
            : tickets.redeem(word, clock.millis());
    return caller.map(identity -> signed.issue(identity, clock.millis() + SESSION.toMillis()));
  }

  /** What an agent presents to fetch and store blobs. */
  public String agentToken(String agent) {
    Identity identity = new Identity(agent, Role.AGENT);
    return signed.issue(identity, clock.millis() + SESSION.toMillis());
  }
}
