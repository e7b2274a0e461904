package dev.imker.server.internal.audit;

import dev.imker.model.account.AuditEntry;
import dev.imker.model.change.Audited;
import dev.imker.model.text.SafeText;
import dev.imker.server.http.AuditTrail;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.RefusalLimit;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.loop.SchedulerLoop;
import java.time.Clock;

/**
 * Records every request that may have changed something, every login and every refusal, with the
 * next transaction of the work itself, at most a tenth of a second later. Uploads of agents are not
 * recorded; their attempts are. Refusals are limited, so that nobody can fill the disk with them.
 */
public final class AuditLog implements AuditTrail {
  private static final int MAX_ACTION_CHARS = 300;

  /** Who logs in may claim any name; the record has an index of them. */
  private static final int MAX_USER_CHARS = 128;

  private final SchedulerLoop loop;
  private final Clock clock;
  private final RefusalLimit refusals = new RefusalLimit();

  public AuditLog(SchedulerLoop loop, Clock clock) {
    this.loop = loop;
    this.clock = clock;
  }

  @Override
  public void answered(Endpoint endpoint, Exchange exchange) {
    int status = exchange.response().getStatusCode();
    boolean refused = status == 401 || status == 403 || status == 429;
    boolean agent = exchange.caller().map(caller -> caller.role() == Role.AGENT).orElse(false);
    boolean question =
        !endpoint.changes()
            || endpoint.path().endsWith("/missing")
            || endpoint.path().equals("/api/v1/pairing")
            || (endpoint.path().startsWith("/api/v1/pairing/") && status != 200)
            || (endpoint.path().startsWith("/api/v1/login/oidc/")
                && exchange.auditUser().isEmpty());
    boolean login = endpoint.path().equals("/login") || endpoint.path().endsWith("/callback");
    if (refused) {
      refusals
          .tryNote(exchange.address(), clock.millis())
          .ifPresent(others -> note(exchange, status, others));
    } else if (login || (!question && !agent)) {
      note(exchange, status, "");
    }
  }

  private void note(Exchange exchange, int status, String addition) {
    String user =
        SafeText.line(
            exchange.auditUser().or(() -> exchange.caller().map(Identity::user)).orElse(""),
            MAX_USER_CHARS);
    String role = exchange.caller().map(caller -> caller.role().name()).orElse("");
    AuditEntry entry =
        new AuditEntry(
            clock.millis(), user, role, action(exchange) + addition, status, exchange.address());
    loop.recordSoon(new Audited(entry));
  }

  /** Method and path; never the query or the body, which may hold secrets. */
  private static String action(Exchange exchange) {
    String made = exchange.response().headers().get("Location");
    String text =
        exchange.request().method()
            + " "
            + exchange.request().path()
            + (made == null || made.startsWith(".") ? "" : " -> " + made);
    return SafeText.line(text, MAX_ACTION_CHARS);
  }
}
