package dev.imker.server.internal.rest.pool;

import dev.imker.server.commands.Await;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.loop.SchedulerLoop;
import java.io.IOException;
import java.util.List;

/** {@code /api/v1/projects}: what is recorded of projects. */
public record ProjectRoutes(SchedulerLoop loop) {
  /** All projects with work, and those whose run times are known. */
  public record Projects(List<ProjectFigures> projects) {}

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.get("/api/v1/projects", Access.LOOK, this::list));
  }

  private void list(Exchange exchange) throws IOException, InterruptedException {
    List<ProjectFigures> all =
        Await.answer(loop.ask(pool -> ProjectFigures.all(pool.scheduler().profiles())));
    exchange.json(
        200,
        new Projects(
            all.stream().filter(project -> exchange.identity().maySee(project.user())).toList()));
  }
}
