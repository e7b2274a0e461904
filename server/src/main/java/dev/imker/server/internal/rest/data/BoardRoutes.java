package dev.imker.server.internal.rest.data;

import dev.imker.model.ProjectId;
import dev.imker.model.account.BoardItem;
import dev.imker.model.change.BoardPut;
import dev.imker.model.change.BoardRemoved;
import dev.imker.server.commands.Await;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.blackboard.PoolBlackboard;
import dev.imker.server.internal.blackboard.TaskLeases;
import dev.imker.server.internal.rest.request.BlobAnswers;
import dev.imker.server.internal.rest.request.Checks;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.internal.settings.DiskReserve;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/board}: tasks of a project talk to each other by named data. */
public record BoardRoutes(
    PoolBlackboard board,
    BlobStore blobs,
    TaskLeases leases,
    DiskReserve disk,
    SchedulerLoop loop,
    Clock clock) {
  private static final int USUAL_DAYS = 7;
  private static final int MAX_DAYS = 365;
  private static final int MAX_DESCRIPTION_CHARS = 1000;

  /** Named data without its bytes. */
  public record ItemView(
      String name,
      String project,
      String description,
      long size,
      String sha256,
      String postedBy,
      String posted,
      String expires) {
    static ItemView of(BoardItem item) {
      return new ItemView(
          item.name(),
          item.project().toString(),
          item.description(),
          item.size(),
          item.blob().sha256(),
          item.postedBy(),
          Times.iso(item.postedMillis()),
          Times.iso(item.expiresMillis()));
    }
  }

  /** A page in the order of names; {@code next} is where the following one begins. */
  public record Items(List<ItemView> items, @Nullable String next) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/board", Access.BOARD_LOOK, this::search),
        Endpoint.put("/api/v1/board/{name}", Access.BOARD_POST, this::post),
        Endpoint.get("/api/v1/board/{name}", Access.BOARD_LOOK, this::fetch),
        Endpoint.delete("/api/v1/board/{name}", Access.BOARD_POST, this::remove));
  }

  /** A task has the blackboard of its project; people say which one of theirs. */
  private ProjectId project(Exchange exchange) throws InterruptedException {
    Identity caller = exchange.identity();
    Identity.Held held = caller.held();
    if (held != null) {
      return leases
          .project(held)
          .orElseThrow(
              () ->
                  ApiException.of(
                      401,
                      "unauthorized",
                      "Task "
                          + held.lease().task()
                          + " has ended, so its token is no longer valid."));
    }
    String text = exchange.query("project").orElse("default");
    int slash = text.indexOf('/');
    String user = slash < 0 ? caller.user() : text.substring(0, slash);
    if (!user.equals(caller.user()) && caller.role() != Role.ADMIN) {
      throw ApiException.of(403, "forbidden", "Only an admin may see projects of others.");
    }
    return new ProjectId(user, Checks.name("project", text.substring(slash + 1)));
  }

  private static String name(Exchange exchange) {
    String name = exchange.param("name");
    if (!name.matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")) {
      throw ApiException.invalid(
          "name",
          "name=%s: a name has letters, digits, dots, - and _, at most 200.".formatted(name));
    }
    return name;
  }

  private void search(Exchange exchange) throws IOException, InterruptedException {
    int limit = (int) exchange.queryNumber("limit", 100, 1, 1000);
    List<BoardItem> found =
        board
            .reads()
            .search(
                project(exchange),
                exchange.query("q").orElse(""),
                exchange.query("after").orElse(""),
                limit);
    exchange.json(
        200,
        new Items(
            found.stream().map(ItemView::of).toList(),
            found.size() < limit ? null : found.getLast().name()));
  }

  private void post(Exchange exchange) throws IOException, InterruptedException {
    ProjectId project = project(exchange);
    String name = name(exchange);
    String description = exchange.query("description").orElse("");
    if (description.length() > MAX_DESCRIPTION_CHARS) {
      throw ApiException.invalid(
          "description", "The description has more than " + MAX_DESCRIPTION_CHARS + " characters.");
    }
    long days = exchange.queryNumber("days", USUAL_DAYS, 1, MAX_DAYS);
    RoomWatch.require(disk.lack(exchange.announcedLength()));
    BoardItem item = take(exchange, project, name, description, days);
    Await.answer(loop.record(List.of(new BoardPut(item))));
    exchange.json(200, ItemView.of(item));
  }

  private BoardItem take(
      Exchange exchange, ProjectId project, String name, String description, long days)
      throws IOException {
    try {
      board.requireRoom(project, name);
      PoolBlackboard.Content content = board.take(project, exchange.body());
      Identity.Held held = exchange.identity().held();
      long now = clock.millis();
      return new BoardItem(
          project,
          name,
          description,
          content.blob(),
          content.size(),
          held == null ? "" : held.lease().task().toString(),
          now,
          now + Duration.ofDays(days).toMillis());
    } catch (PoolBlackboard.TooMuchException e) {
      throw ApiException.of(409, "too_much", String.valueOf(e.getMessage()));
    }
  }

  private BoardItem require(ProjectId project, String name) {
    return board
        .reads()
        .item(project, name)
        .orElseThrow(
            () ->
                ApiException.notFound(
                    "There is no '%s' on the blackboard of %s.".formatted(name, project)));
  }

  private void fetch(Exchange exchange) throws IOException, InterruptedException {
    BoardItem item = require(project(exchange), name(exchange));
    BlobAnswers.send(exchange, blobs, item.blob());
  }

  private void remove(Exchange exchange) throws IOException, InterruptedException {
    BoardItem item = require(project(exchange), name(exchange));
    Await.answer(loop.record(List.of(new BoardRemoved(item.project(), item.name()))));
    exchange.empty(204);
  }
}
