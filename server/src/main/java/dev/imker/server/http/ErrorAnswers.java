package dev.imker.server.http;

import dev.imker.model.ImkerException;
import dev.imker.model.InputException;
import dev.imker.server.internal.auth.AccountException;
import dev.imker.server.internal.auth.QuotaExceededException;
import dev.imker.server.internal.auth.Role;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts exceptions to answers; those that the caller cannot fix are logged. */
final class ErrorAnswers {
  static final String INTERNAL =
      "Internal server error; see its log for details. Trying again may help.";
  private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswers.class);

  static ApiException tooMany(int seconds) {
    return ApiException.of(
        429,
        "too_many_requests",
        "Too many requests; try again in %d s (setting http.requests-per-second)."
            .formatted(seconds));
  }

  static ApiException unknownCaller() {
    return ApiException.of(
        401,
        "unauthorized",
        "A valid token is missing. Send it as Authorization: Bearer TOKEN, or open the login link"
            + " that the server printed at its start.");
  }

  static ApiException forbidden(Access access, Role role) {
    String message =
        switch (role) {
          case JOIN -> "A join token only lets agents join.";
          case AGENT -> "Agent tokens have no access to this; use the token of a user.";
          case TASK -> "Task tokens only give access to the blackboard and coordination.";
          case VIEWER -> "Your role is read-only; ask an admin for another role.";
          default ->
              switch (access) {
                case JOIN -> "Only an agent may do this; use the secret of the join token.";
                case TASK -> "Only a running task may do this, with its IMKER_TASK_TOKEN.";
                default -> "Only an admin may do this.";
              };
        };
    return ApiException.of(403, "forbidden", message);
  }

  static ApiException notLeading(Optional<String> leader) {
    return leader
        .map(
            address ->
                ApiException.of(
                    307,
                    "not_leader",
                    "The server at " + address + " leads the pool; send the request there."))
        .orElseGet(
            () ->
                ApiException.of(
                    503, "no_leader", "No server leads the pool at the moment; try again soon."));
  }

  static ApiException stopping() {
    return ApiException.of(503, "stopping", "The server is stopping; try again later.");
  }

  void answer(Exchange exchange, Exception failure, Runnable beforeHead) {
    HttpServerResponse response = exchange.response();
    ApiException why = explain(exchange, failure);
    if (response.closed() || response.ended()) {
      return;
    }
    if (response.headWritten()) {
      // Too late for an answer: only a broken connection tells that the content is not whole.
      response.reset();
      return;
    }
    response.headers().remove(HttpHeaders.CONTENT_LENGTH);
    response.setChunked(false);
    beforeHead.run();
    send(response, why.status(), why.view());
  }

  private static ApiException explain(Exchange exchange, Exception failure) {
    return switch (failure) {
      case ApiException api -> api;
      case AccountException account ->
          account.isUnknown()
              ? ApiException.notFound(String.valueOf(account.getMessage()))
              : ApiException.invalid(account.field(), String.valueOf(account.getMessage()));
      case QuotaExceededException quota ->
          ApiException.of(409, "quota_exceeded", String.valueOf(quota.getMessage()));
      case InputException input ->
          ApiException.of(400, "invalid", String.valueOf(input.getMessage()));
      case ImkerException known -> {
        LOG.warn("{} failed: {}", describe(exchange), known.getMessage());
        yield ApiException.of(503, "unavailable", String.valueOf(known.getMessage()));
      }
      case IOException gone -> {
        LOG.debug("{} was interrupted: {}", describe(exchange), gone.getMessage());
        yield ApiException.of(400, "broken_off", "The request was interrupted; send it again.");
      }
      case InterruptedException interrupted -> stopping();
      default -> {
        LOG.error("{} failed", describe(exchange), failure);
        yield ApiException.of(500, "internal", INTERNAL);
      }
    };
  }

  /** Without the query, which may hold a token. */
  private static String describe(Exchange exchange) {
    return exchange.request().method() + " " + exchange.request().path();
  }

  static void send(HttpServerResponse response, int status, ErrorView view) {
    if (status == 401) {
      response.putHeader("WWW-Authenticate", "Bearer realm=\"imker\"");
    }
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(Buffer.buffer(Json.bytes(view)));
  }
}
