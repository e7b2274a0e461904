package dev.imker.server.rest;

import dev.imker.model.InputException;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import java.io.IOException;
import java.util.List;

/** {@code /api/v1/select}: which jobs and tasks a selector means. */
final class SelectRoutes {
  /** What a selector means. */
  record Selection(List<Selections.Part> parts) {}

  private final Selections selections;

  SelectRoutes(Selections selections) {
    this.selections = selections;
  }

  List<Endpoint> endpoints() {
    return List.of(Endpoint.get("/api/v1/select", Access.ADMIN, this::select));
  }

  private void select(Exchange exchange) throws IOException {
    String text =
        exchange
            .query("q")
            .orElseThrow(() -> ApiException.invalid("q", "Give a selector: ?q=12.3, ?q=last."));
    try {
      exchange.json(200, new Selection(selections.resolve(text)));
    } catch (InputException e) {
      throw ApiException.invalid("q", String.valueOf(e.getMessage()));
    }
  }
}
