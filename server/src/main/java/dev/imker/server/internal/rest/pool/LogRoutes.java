package dev.imker.server.internal.rest.pool;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.LoggerFactory;

/** {@code /api/v1/log-level}: how much this server writes to its log, until it stops. */
public final class LogRoutes {
  private static final int MAX_BODY_BYTES = 4096;
  private static final String OWN = "dev.imker";
  private static final Set<String> LEVELS = Set.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE");

  /** The level of a part of the server. */
  record LogLevel(String logger, String level) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/log-level", Access.ADMIN, this::show),
        Endpoint.put("/api/v1/log-level", Access.ADMIN, this::change));
  }

  private void show(Exchange exchange) throws IOException {
    exchange.json(200, view(logger(exchange.query("logger").orElse(OWN))));
  }

  private void change(Exchange exchange) throws IOException {
    var body = exchange.json(MAX_BODY_BYTES);
    String level = body.path("level").asText("").toUpperCase(Locale.ROOT);
    if (!LEVELS.contains(level)) {
      throw ApiException.invalid(
          "level", "level must be one of error, warn, info, debug and trace.");
    }
    Logger logger = logger(body.path("logger").asText(OWN));
    logger.setLevel(Level.valueOf(level));
    exchange.json(200, view(logger));
  }

  private static Logger logger(String name) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      return context.getLogger(name);
    }
    throw ApiException.of(501, "no_levels", "This server cannot change its log level.");
  }

  private static LogLevel view(Logger logger) {
    return new LogLevel(
        logger.getName(), logger.getEffectiveLevel().toString().toLowerCase(Locale.ROOT));
  }
}
