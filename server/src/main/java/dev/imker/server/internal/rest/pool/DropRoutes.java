package dev.imker.server.internal.rest.pool;

import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.account.DropItem;
import dev.imker.server.drop.DropFolders;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.Times;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/drops}: folders whose files become jobs. */
public record DropRoutes(DropFolders drops) {
  private static final int MAX_BODY_BYTES = 16 << 10;
  private static final int USUAL_ITEMS = 100;
  private static final int MAX_ITEMS = 1000;

  public record Folders(List<DropFolders.Watched> folders) {}

  /** A file of a folder. */
  record ItemView(
      String id, String path, String state, List<Long> jobs, String cause, String taken) {
    static ItemView of(DropItem item) {
      return new ItemView(
          item.id(),
          item.path(),
          item.state().name(),
          item.jobs().stream().map(JobId::value).toList(),
          item.cause(),
          Times.iso(item.takenMillis()));
    }
  }

  /** Files, newest first. */
  public record Items(List<ItemView> items) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/drops", Access.ADMIN, this::list),
        Endpoint.post("/api/v1/drops", Access.ADMIN, this::add),
        Endpoint.delete("/api/v1/drops/{number}", Access.ADMIN, this::remove),
        Endpoint.get("/api/v1/drops/{number}/items", Access.ADMIN, this::items));
  }

  private void list(Exchange exchange) throws IOException {
    exchange.json(200, new Folders(drops.list()));
  }

  private void add(Exchange exchange) throws IOException {
    JsonFields body =
        JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("place", "user", "key"));
    String place = body.text("place");
    try {
      exchange.json(
          201,
          drops.add(
              new DropFolders.Added(
                  place, body.text("user", Identity.ADMIN_NAME), body.text("key", ""))));
    } catch (ApiException e) {
      throw e;
    } catch (ImkerException e) {
      throw ApiException.invalid("place", String.valueOf(e.getMessage()));
    }
  }

  private static int number(Exchange exchange) {
    String text = exchange.param("number");
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw ApiException.invalid(
          "number",
          "'" + text + "' is not the number of a drop folder; 'imker drop list' shows them.");
    }
    return Integer.parseInt(text);
  }

  private void remove(Exchange exchange) throws IOException {
    if (!drops.remove(number(exchange))) {
      throw unknown(exchange);
    }
    exchange.empty(204);
  }

  private void items(Exchange exchange) throws IOException {
    int limit = (int) exchange.queryNumber("limit", USUAL_ITEMS, 1, MAX_ITEMS);
    List<DropItem> items = drops.items(number(exchange), limit);
    if (items == null) {
      throw unknown(exchange);
    }
    exchange.json(200, new Items(items.stream().map(ItemView::of).toList()));
  }

  private static ApiException unknown(Exchange exchange) {
    return ApiException.notFound(
        "There is no drop folder " + exchange.param("number") + "; 'imker drop list' lists all.");
  }
}
