package dev.imker.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/** The routes that a standby answers itself: questions about what is on disk. */
final class StandbyRoutes {
  private static final Set<String> OWN =
      Set.of(
          "/",
          "/login",
          "/api/v1/jobs",
          "/api/v1/jobs/{id}",
          "/api/v1/jobs/{id}/tasks",
          "/api/v1/tasks/{task}",
          "/api/v1/jobs/{id}/attestations",
          "/api/v1/jobs/{id}/failures",
          "/api/v1/jobs/{id}/graph",
          "/api/v1/jobs/{id}/history",
          "/api/v1/jobs/{id}/jobfile",
          "/api/v1/jobs/{id}/metrics",
          "/api/v1/jobs/{id}/results.zip",
          "/api/v1/jobs/{id}/timeline",
          "/api/v1/tasks/{task}/explain",
          "/api/v1/nodes",
          "/api/v1/nodes/{node}",
          "/api/v1/nodes/{node}/explain",
          "/api/v1/nodes/{node}/history",
          "/api/v1/overview",
          "/api/v1/figures/nodes",
          "/api/v1/figures/spread",
          "/api/v1/history",
          "/api/v1/projects",
          "/api/v1/resources",
          "/api/v1/strategy",
          "/api/v1/datasets",
          "/api/v1/datasets/{name}",
          "/api/v1/libraries",
          "/api/v1/libraries/{name}",
          "/api/v1/select",
          "/api/v1/openapi.json",
          "/healthz",
          "/livez",
          "/readyz",
          "/join",
          "/join.ps1",
          "/join/{archive}",
          "/metrics",
          "/api/v1/servers",
          "/api/v1/servers/check",
          "/app.js",
          "/app.css",
          "/icon.svg");

  /** Whoever wants to wait for something waits where it happens. */
  private static final Set<String> LIVE = Set.of("follow", "wait", "settled");

  private StandbyRoutes() {}

  static boolean serves(Endpoint endpoint, HttpServerRequest request) {
    if (endpoint.path().equals("/api/v1/log-level")) { // every server has a log of its own
      return true;
    }
    if (endpoint.changes() || !endpoint.blocking()) {
      return false;
    }
    return (OWN.contains(endpoint.path()) || isFile(endpoint.path()))
        && LIVE.stream().noneMatch(name -> request.getParam(name) != null);
  }

  private static boolean isFile(String path) {
    return path.startsWith("/api/v1/blobs/{")
        || path.startsWith("/api/v1/tasks/{task}/results")
        || path.startsWith("/page/")
        || path.startsWith("/docs")
        || path.startsWith("/lib/");
  }
}
