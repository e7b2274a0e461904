package dev.imker.server.internal.rest.pool;

import dev.imker.server.check.LiveCheck;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/servers}: the servers of the pool, and who is to leave leading to others. */
public record ServerRoutes(Register register, LiveCheck check) {
  private static final int MAX_BODY_BYTES = 4096;

  /**
   * A server.
   *
   * @param urls where it can be reached
   * @param drained whether it leaves leading to others
   * @param started ISO 8601
   * @param silentMillis since when nothing was heard of it
   * @param behindMillis for how long a standby has not known what is on disk
   */
  public record ServerView(
      List<String> urls,
      String version,
      boolean leads,
      long epoch,
      boolean drained,
      @Nullable String started,
      long silentMillis,
      long behindMillis,
      boolean running) {}

  public record Servers(List<ServerView> servers) {}

  public interface Register {
    List<ServerView> servers();

    /** False if there is no server of that address. */
    boolean drain(String url, boolean drained);
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/servers", Access.ADMIN, this::list),
        Endpoint.get(
            "/api/v1/servers/check", Access.ADMIN, exchange -> exchange.json(200, check.run())),
        Endpoint.post("/api/v1/servers/drain", Access.ADMIN, this::drain));
  }

  private void list(Exchange exchange) throws IOException {
    exchange.json(200, new Servers(register.servers()));
  }

  private void drain(Exchange exchange) throws IOException {
    var body = exchange.json(MAX_BODY_BYTES);
    String url = body.path("url").asText("");
    boolean drained = body.path("drained").asBoolean(true);
    if (url.isEmpty()) {
      throw ApiException.invalid(
          "url", "url must be the address of a server of this pool; 'imker servers' lists them.");
    }
    boolean others =
        register.servers().stream()
            .anyMatch(other -> other.running() && !other.drained() && !other.urls().contains(url));
    if (drained && !others) {
      throw ApiException.of(
          409, "last_server", "No other server could lead instead; start one first.", "url");
    }
    if (!register.drain(url, drained)) {
      throw ApiException.notFound("No server runs at " + url + ".");
    }
    exchange.json(200, new Servers(register.servers()));
  }
}
