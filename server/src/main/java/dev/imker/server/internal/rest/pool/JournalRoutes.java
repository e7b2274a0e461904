package dev.imker.server.internal.rest.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.rest.request.Choices;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.store.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/audit} and {@code /api/v1/usage}: what was done, and what it used. */
public record JournalRoutes(Journal journal) {
  private static final List<String> FIGURES =
      List.of(
          "attempts",
          "wastedAttempts",
          "cpuMillis",
          "wastedCpuMillis",
          "wallMillis",
          "wastedWallMillis",
          "bytesIn",
          "bytesOut",
          "coreMillis",
          "gpuMillis",
          "memoryMbSeconds");

  record AuditView(
      long id, String at, String user, String role, String action, int status, String address) {}

  /** A page, newest first; {@code next} is where the following one begins, null at the end. */
  public record AuditPage(List<AuditView> entries, @Nullable Long next) {}

  /** Sums of use. */
  public record Usages(String by, List<Journal.Usage> usage) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/audit", Access.LOOK, this::audit),
        Endpoint.get("/api/v1/usage", Access.LOOK, this::usage));
  }

  /** Whose lines the caller gets: an admin may choose, others get their own. */
  private static @Nullable String user(Exchange exchange) {
    Identity caller = exchange.identity();
    String wanted = exchange.query("user").orElse(null);
    if (caller.role() == Role.ADMIN) {
      return wanted;
    }
    if (wanted != null && !wanted.equals(caller.user())) {
      throw ApiException.of(403, "forbidden", "Only an admin may see the work of others.");
    }
    return caller.user();
  }

  private static long sinceMillis(Exchange exchange) {
    String text = exchange.query("since").orElse(null);
    if (text == null) {
      return 0;
    }
    try {
      return text.length() == "2026-01-31".length()
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli()
          : Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw ApiException.invalid(
          "since",
          "since="
              + text
              + ": write a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z.");
    }
  }

  private void audit(Exchange exchange) throws IOException {
    int limit = (int) exchange.queryNumber("limit", 100, 1, 1000);
    long before = exchange.queryNumber("before", 0, 1, Long.MAX_VALUE);
    List<AuditView> entries =
        journal.audit(user(exchange), sinceMillis(exchange), before, limit).stream()
            .map(JournalRoutes::view)
            .toList();
    exchange.json(
        200, new AuditPage(entries, entries.size() < limit ? null : entries.getLast().id()));
  }

  private static AuditView view(Journal.Entry line) {
    var entry = line.entry();
    return new AuditView(
        line.id(),
        Times.iso(entry.atMillis()),
        entry.user(),
        entry.role(),
        entry.action(),
        entry.status(),
        entry.address());
  }

  private void usage(Exchange exchange) throws IOException {
    Set<Journal.Grouping> by =
        Choices.parseAll(Journal.Grouping.class, exchange.query("by").orElse(""), "by");
    if (by.isEmpty()) {
      by.add(Journal.Grouping.USER);
    }
    String groups =
        by.stream()
            .map(one -> one.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));
    long sinceDay = TimeUnit.MILLISECONDS.toDays(sinceMillis(exchange));
    List<Journal.Usage> usage = journal.usage(user(exchange), by, sinceDay);
    switch (exchange.query("format").orElse("json")) {
      case "json" -> exchange.json(200, new Usages(groups, usage));
      case "csv" ->
          exchange.bytes(
              200, "text/csv; charset=utf-8", csv(groups, usage).getBytes(StandardCharsets.UTF_8));
      default -> throw ApiException.invalid("format", "format must be json or csv.");
    }
  }

  private static String csv(String groups, List<Journal.Usage> usage) {
    List<String> columns = new ArrayList<>(List.of(groups.split(",", -1)));
    columns.addAll(FIGURES);
    StringBuilder text = new StringBuilder(String.join(",", columns)).append("\r\n");
    for (Journal.Usage line : usage) {
      JsonNode fields = Json.MAPPER.valueToTree(line);
      text.append(
          columns.stream()
              .map(column -> field(fields.path(column).asText()))
              .collect(Collectors.joining(",", "", "\r\n")));
    }
    return text.toString();
  }

  private static String field(String text) {
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
