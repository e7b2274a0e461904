package dev.imker.server.rest;

import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.loop.SchedulerLoop;
import java.util.List;

/** {@code /api/v1/projects}: what is recorded of projects. */
final class ProjectRoutes {
  /** All projects with work, and those whose run times are known. */
  record Projects(List<ProjectFigures> projects) {}

  private final SchedulerLoop loop;

  ProjectRoutes(SchedulerLoop loop) {
    this.loop = loop;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/projects", Access.ADMIN, exchange -> exchange.json(200, projects())));
  }

  private Projects projects() throws InterruptedException {
    return new Projects(
        Await.answer(loop.ask(pool -> ProjectFigures.all(pool.scheduler().profiles()))));
  }
}
