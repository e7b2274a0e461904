package dev.imker.server.internal.rest.jobs;

import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.store.Reads;
import java.io.IOException;
import java.util.List;

/** {@code /api/v1/select}: which jobs and tasks a selector means. */
public record SelectRoutes(Reads reads) {
  /** What a selector means. */
  public record Selection(List<Selections.Part> parts) {}

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.get("/api/v1/select", Access.LOOK, this::select));
  }

  private void select(Exchange exchange) throws IOException {
    exchange.json(200, new Selection(new Selections(reads, exchange.identity()).parts(exchange)));
  }
}
