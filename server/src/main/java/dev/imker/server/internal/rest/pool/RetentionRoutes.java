package dev.imker.server.internal.rest.pool;

import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.internal.retention.Doomed;
import dev.imker.server.internal.retention.Retention;
import dev.imker.server.internal.retention.RetentionRules;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/retention}: how long finished work is kept. */
public record RetentionRoutes(Retention retention, Accounts accounts) {
  private static final int MAX_BODY_BYTES = 4096;
  private static final int MAX_LISTED = 1000;
  private static final long MAX_DAYS = 100_000;

  /** Rules; null is for ever. */
  public record Rules(
      @Nullable Long doneDays,
      @Nullable Long failedDays,
      @Nullable Long maxBytes,
      @Nullable Long auditDays) {
    static Rules of(RetentionRules rules) {
      return new Rules(
          limit(rules.doneDays()),
          limit(rules.failedDays()),
          limit(rules.maxBytes()),
          limit(rules.auditDays()));
    }

    private static @Nullable Long limit(long value) {
      return value == RetentionRules.FOR_EVER ? null : value;
    }
  }

  /** The rules of the pool, and of users with others. */
  public record All(Rules rules, Map<String, Rules> users) {}

  /** A job that goes. */
  record Going(
      long job, String name, String user, String status, String settled, long bytes, String why) {}

  /** What was removed, or would be; the list of jobs ends after a thousand. */
  public record ReportView(
      boolean dryRun, List<Going> jobs, long jobCount, long blobs, long bytes) {}

  /** On a full disk nobody waits for a day; a submission under way takes minutes. */
  private static final long MIN_GRACE_MINUTES = 10;

  private static final long DEFAULT_GRACE_MINUTES = 24 * 60;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/retention", Access.LOOK, this::show),
        Endpoint.put("/api/v1/retention", Access.ADMIN, this::set),
        Endpoint.post("/api/v1/retention/run", Access.ADMIN, this::run));
  }

  private void show(Exchange exchange) throws IOException {
    Map<String, Rules> users = new TreeMap<>();
    retention
        .rules()
        .users()
        .forEach(
            (user, rules) -> {
              if (exchange.identity().maySee(user)) {
                users.put(user, Rules.of(rules));
              }
            });
    exchange.json(200, new All(Rules.of(retention.rules().pool()), users));
  }

  private void set(Exchange exchange) throws IOException {
    JsonFields body =
        JsonFields.of(
            exchange.json(MAX_BODY_BYTES),
            "",
            Set.of("user", "doneDays", "failedDays", "maxBytes", "auditDays"));
    String user = body.text("user", "");
    if (user.isEmpty()) {
      retention.rules().setPool(rules(body, retention.rules().pool()));
    } else {
      if (accounts.find(user).isEmpty()) {
        throw ApiException.notFound("There is no user " + user + ".");
      }
      retention.rules().setUser(user, rules(body, retention.rules().of(user)));
    }
    show(exchange);
  }

  private static RetentionRules rules(JsonFields body, RetentionRules present) {
    return new RetentionRules(
        body.number("doneDays", present.doneDays(), -1, MAX_DAYS),
        body.number("failedDays", present.failedDays(), -1, MAX_DAYS),
        body.number("maxBytes", present.maxBytes(), -1, Long.MAX_VALUE),
        body.number("auditDays", present.auditDays(), -1, MAX_DAYS));
  }

  private void run(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(
            exchange.json(MAX_BODY_BYTES, Optional.of(Json.MAPPER.createObjectNode())),
            "",
            Set.of("dryRun", "graceMinutes"));
    Duration grace =
        Duration.ofMinutes(
            body.number(
                "graceMinutes", DEFAULT_GRACE_MINUTES, MIN_GRACE_MINUTES, DEFAULT_GRACE_MINUTES));
    Retention.Report report = retention.run(body.flag("dryRun", false), grace);
    exchange.json(
        200,
        new ReportView(
            report.dryRun(),
            report.jobs().stream().limit(MAX_LISTED).map(RetentionRoutes::view).toList(),
            report.jobs().size(),
            report.files().blobs(),
            report.files().diskBytes()));
  }

  private static Going view(Doomed doomed) {
    return new Going(
        doomed.job().id().value(),
        doomed.job().name(),
        doomed.job().project().user(),
        doomed.job().status().name(),
        Times.iso(doomed.job().settledMillis()),
        doomed.bytes(),
        doomed.why());
  }
}
