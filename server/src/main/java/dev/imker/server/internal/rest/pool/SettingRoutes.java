package dev.imker.server.internal.rest.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.account.Notice;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Authenticator;
import dev.imker.server.internal.notify.QueueAlarm;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.internal.settings.PoolSettings;
import dev.imker.store.NoticeReads;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/settings}, and notices of jobs. */
public record SettingRoutes(
    PoolSettings settings, NoticeReads notices, Authenticator authenticator) {
  private static final int MAX_BODY_BYTES = 16 << 10;

  /** What is set, and what can be. */
  public record Settings(Map<String, String> settings, Map<String, String> known) {}

  /** A message on its way, or there. */
  record NoticeView(
      String channel,
      String address,
      String state,
      int tries,
      @Nullable String next,
      String error) {}

  /** Messages about a job. */
  public record Notices(List<NoticeView> notices) {}

  public record HookSecret(String secret) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/settings", Access.ADMIN, this::show),
        Endpoint.put("/api/v1/settings", Access.ADMIN, this::put),
        Endpoint.get("/api/v1/jobs/{id}/notices", Access.LOOK, this::notices),
        Endpoint.get(
            "/api/v1/notices/secret",
            Access.LOOK,
            exchange ->
                exchange.json(
                    200, new HookSecret(authenticator.hookSecret(exchange.identity().user())))));
  }

  private void show(Exchange exchange) throws IOException {
    exchange.json(200, new Settings(settings.shown(), PoolSettings.descriptions()));
  }

  private void put(Exchange exchange) throws IOException {
    JsonNode body = exchange.json(MAX_BODY_BYTES);
    Map<String, String> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      if (!field.getValue().isTextual()) {
        throw ApiException.invalid(field.getKey(), field.getKey() + " must be a string.");
      }
      values.put(field.getKey(), field.getValue().textValue());
    }
    try {
      settings.put(values);
      if (values.containsKey(QueueAlarm.HOOK)) {
        QueueAlarm.hookNamedBy(settings.store(), exchange.identity().user());
      }
    } catch (PoolSettings.SettingException e) {
      throw ApiException.invalid(e.name(), String.valueOf(e.getMessage()));
    }
    show(exchange);
  }

  private void notices(Exchange exchange) throws IOException {
    exchange.json(
        200,
        new Notices(
            notices.of(JobRoutes.jobId(exchange)).stream().map(SettingRoutes::view).toList()));
  }

  private static NoticeView view(Notice notice) {
    return new NoticeView(
        notice.channel().name(),
        notice.address(),
        notice.state().name(),
        notice.tries(),
        notice.state() == Notice.State.WAITING ? Times.iso(notice.nextMillis()) : null,
        notice.lastError());
  }
}
