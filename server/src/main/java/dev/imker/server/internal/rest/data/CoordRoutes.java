package dev.imker.server.internal.rest.data;

import dev.imker.coord.CoordinationException;
import dev.imker.coord.UnsureException;
import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.Once;
import dev.imker.coord.tasks.RepeatedException;
import dev.imker.coord.tasks.TaskCoordination;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.blackboard.TaskLeases;
import dev.imker.server.internal.coord.TaskCoordinator;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.live.shared.MarkException;
import dev.imker.server.live.shared.RunOverException;
import dev.imker.server.live.shared.SharedFullException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/coord}: tasks of a job wait for each other, and programs for the tasks of theirs.
 * One route for all kinds of things, with the action in the body; whatever waits is answered after
 * a while in any case, and asked again.
 */
public record CoordRoutes(TaskCoordinator coordinator, TaskLeases leases, CoordinationWaits waits) {
  private static final int MAX_BODY_BYTES = 128 << 10;
  private static final int MAX_ITEM_BYTES = 64 << 10;
  private static final int MAX_WAIT_SECONDS = 60;
  private static final int MAX_MEMBERS = 100_000;
  private static final Set<String> FIELDS =
      Set.of(
          "action", "wait", "size", "round", "value", "version", "data", "scope", "session",
          "member");

  private static final Pattern SCOPE = Pattern.compile("[A-Za-z0-9-]{8,64}");
  private static final int MAX_MEMBERS_OF_PROGRAM = 1_000_000;

  /**
   * Who asks, and within which names.
   *
   * @param task null if it is a program outside of the pool
   */
  private record Participant(String scope, Member self, @Nullable TaskId task) {}

  /** Whether something is done, or has to be asked for again. */
  record Done(boolean done) {}

  /** A named value, of version 0 if it was never set. */
  record Named(String data, long version) {
    static Named of(TaskCoordination.Named named) {
      return new Named(new String(named.data(), StandardCharsets.UTF_8), named.version());
    }
  }

  /** What was first in a queue; null if nothing came in time. */
  record Taken(@Nullable String data) {}

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.post("/api/v1/coord/{kind}/{name}", Access.BOARD_POST, this::act));
  }

  private void act(Exchange exchange) throws IOException, InterruptedException {
    Identity.Held held = exchange.identity().held();
    Optional<ProjectId> project = held == null ? Optional.empty() : leases.project(held);
    if (held != null && project.isEmpty()) {
      throw ApiException.of(
          401, "unauthorized", "The task has ended, so its token is no longer valid.");
    }
    JsonFields body = JsonFields.of(exchange.json(MAX_BODY_BYTES), "", FIELDS);
    Participant who =
        held == null || project.isEmpty()
            ? program(exchange.identity().user(), body)
            : task(project.get().user(), held, body);
    String name = name(exchange);
    String kind = exchange.param("kind");
    TaskId task = who.task;
    if (task == null && (kind + " " + body.text("action")).equals("program stay")) {
      coordinator.heardOf(exchange.identity().user(), body.text("session"));
      exchange.json(200, new Done(true));
      return;
    }
    Once once = once(exchange);
    if (task == null || !body.has("wait")) {
      exchange.json(200, answer(kind, name, who, body, once));
      return;
    }
    CoordinationWaits.Wait wait = wait(kind, name, who.scope, body);
    waits.begin(task, wait);
    try {
      exchange.json(200, answer(kind, name, who, body, once));
    } finally {
      waits.end(task, wait);
    }
  }

  /** Tasks of one job, or of all jobs of a user that name the same scope. */
  private Participant task(String user, Identity.Held held, JsonFields body) {
    TaskId task = held.lease().task();
    String scope = coordinator.scope(user, scope(body), task.job());
    return new Participant(scope, TaskCoordinator.member(held), task);
  }

  private Participant program(String user, JsonFields body) {
    String scope = scope(body);
    String session = body.has("session") ? body.text("session") : "";
    if (scope.isEmpty() || !SCOPE.matcher(session).matches()) {
      throw ApiException.invalid(
          scope.isEmpty() ? "scope" : "session",
          "Programs must name the scope that they share with their jobs, and the session"
              + " that they follow (8 to 64 letters, digits and -); tasks need neither.");
    }
    long number = body.number("member", 1, 1, MAX_MEMBERS_OF_PROGRAM);
    return new Participant(
        coordinator.shared(user, scope), TaskCoordinator.program(user, session, number), null);
  }

  private static CoordinationWaits.Wait wait(
      String kind, String name, String scope, JsonFields body) {
    String action = body.text("action");
    String words =
        switch (kind + " " + action) {
          case "barrier enter" ->
              "to enter the barrier %s of %d tasks"
                  .formatted(name, body.number("size", 1, MAX_MEMBERS));
          case "barrier leave" -> "for the others to leave the barrier " + name;
          case "lock acquire" -> "for the lock " + name;
          case "election lead" -> "to lead in the election " + name;
          case "config watch" -> "for the value %s to change".formatted(name);
          case "group members" -> "for the group to change: " + name;
          default -> "for something in the queue " + name;
        };
    return new CoordinationWaits.Wait(String.join("/", scope, kind, name, action), words);
  }

  /** What was refused with 503 has not happened; of what was not answered, nobody knows. */
  private Object answer(String kind, String name, Participant who, JsonFields body, Once once)
      throws InterruptedException {
    try {
      return new Call(coordinator.get(), who.scope, name, who.self, body, once).run(kind);
    } catch (RepeatedException | MarkException e) {
      throw ApiException.invalid("Idempotency-Key", String.valueOf(e.getMessage()));
    } catch (RunOverException e) {
      throw ApiException.of(401, "unauthorized", String.valueOf(e.getMessage()));
    } catch (SharedFullException e) {
      throw ApiException.of(413, "full", String.valueOf(e.getMessage()));
    } catch (UnsureException e) {
      throw ApiException.of(
          504, "unsure", e.getMessage() + " Check whether it happened before you repeat it.");
    } catch (CoordinationException e) {
      throw ApiException.of(503, "unavailable", e.getMessage() + " Ask again.");
    }
  }

  private static Once once(Exchange exchange) {
    String key = exchange.header("Idempotency-Key").orElse("");
    try {
      return key.isEmpty() ? Once.NONE : Once.parse(key);
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid(
          "Idempotency-Key",
          "An Idempotency-Key is a name of at most 100 letters, digits, dots, - and _;"
              + " for successive requests under one name, append a colon and an increasing"
              + " number.");
    }
  }

  private static String scope(JsonFields body) {
    String named = body.has("scope") ? body.text("scope") : "";
    if (!named.isEmpty() && !SCOPE.matcher(named).matches()) {
      throw ApiException.invalid("scope", "scope has 8 to 64 letters, digits and -.");
    }
    return named;
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

  /** One request, with all that belongs to it. */
  private record Call(
      TaskCoordination all, String scope, String name, Member self, JsonFields body, Once once) {
    Object run(String kind) throws InterruptedException {
      String action = body.text("action");
      return switch (kind + " " + action) {
        case "barrier enter" ->
            all.enter(scope, name, self, (int) body.number("size", 1, MAX_MEMBERS), waitMillis());
        case "barrier leave" ->
            new Done(
                all.leave(
                    scope, name, self, body.number("round", 1, Long.MAX_VALUE), waitMillis()));
        case "lock acquire" -> all.acquire(scope, name, self, waitMillis());
        case "lock release" -> new Done(all.release(scope, name, self));
        case "election stand" -> all.stand(scope, name, self);
        case "election lead" -> all.lead(scope, name, self, waitMillis());
        case "election resign" -> new Done(all.resign(scope, name, self));
        case "counter get" -> all.counter(scope, name);
        case "counter add" -> all.add(scope, name, self, signed("value"), once);
        case "counter set" -> set();
        case "config get" -> Named.of(all.config(scope, name));
        case "config set" -> configure();
        case "config watch" ->
            Named.of(
                all.watch(scope, name, body.number("version", 0, Long.MAX_VALUE), waitMillis()));
        case "group join" -> all.join(scope, name, self);
        case "group leave" -> all.part(scope, name, self);
        case "group members" -> all.members(scope, name, since(), waitMillis());
        case "queue put" -> put();
        case "queue take" ->
            new Taken(
                all.take(scope, name, self, waitMillis(), once)
                    .map(data -> new String(data, StandardCharsets.UTF_8))
                    .orElse(null));
        default ->
            throw ApiException.invalid(
                "action",
                "There is no %s of a %s. There are: barrier enter|leave, lock acquire|release,"
                        .formatted(action, kind)
                    + " election stand|lead|resign, counter get|add|set, config get|set|watch,"
                    + " group join|leave|members, queue put|take.");
      };
    }

    private long waitMillis() {
      return TimeUnit.SECONDS.toMillis(body.number("wait", 0, 0, MAX_WAIT_SECONDS));
    }

    private long signed(String field) {
      return body.number(field, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private OptionalLong since() {
      return body.has("version")
          ? OptionalLong.of(body.number("version", 0, Long.MAX_VALUE))
          : OptionalLong.empty();
    }

    private TaskCoordination.Counted set() throws InterruptedException {
      long version = body.number("version", 0, Long.MAX_VALUE);
      return all.set(scope, name, self, signed("value"), version, once)
          .orElseThrow(
              () ->
                  ApiException.of(
                      409,
                      "changed",
                      "The counter %s is no longer at version %d; read it again."
                          .formatted(name, version)));
    }

    private Named configure() throws InterruptedException {
      OptionalLong version = since();
      return all.configure(scope, name, self, data(), version, once)
          .map(Named::of)
          .orElseThrow(
              () ->
                  ApiException.of(
                      409,
                      "changed",
                      "The value %s is no longer at version %d; read it again."
                          .formatted(name, version.orElse(0))));
    }

    private byte[] data() {
      byte[] data = body.text("data").getBytes(StandardCharsets.UTF_8);
      if (data.length > MAX_ITEM_BYTES) {
        throw ApiException.invalid(
            "data", "data can hold 64 KB; put larger data on the blackboard and its name here.");
      }
      return data;
    }

    private Done put() throws InterruptedException {
      all.put(scope, name, self, data(), once);
      return new Done(true);
    }
  }
}
