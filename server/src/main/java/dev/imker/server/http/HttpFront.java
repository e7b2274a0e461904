package dev.imker.server.http;

import dev.imker.server.internal.auth.Identity;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Dispatches every request to its endpoint after checking the caller's token. */
public final class HttpFront implements AutoCloseable {
  /** Tells clients of all servers, so that they know where to go when this one is away. */
  private static final String SERVERS = "Imker-Servers";

  /** Epoch and turn that a standby knows at least when it answers. */
  private static final String POSITION = "Imker-Position";

  private static final long CLOSE_PATIENCE_MILLIS = 500;

  /** What a path leads to that no route has. */
  private static final Endpoint NOWHERE = Endpoint.get("/", Access.OPEN, _ -> {});

  private final List<Endpoint> endpoints;
  private final Callers callers;
  private final RequestMeter meter;
  private final OwnWork ownWork;
  private final AuditTrail audit;
  private final Standing standing;
  private final LeaderRelay relay;
  private final TrustedProxies proxies;
  private final RateLimit limit;
  private final LiveStreams live;
  private final ConnectionWatch watch = new ConnectionWatch();
  private final ErrorAnswers errors = new ErrorAnswers();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("http-", 0).factory());

  public HttpFront(
      List<Endpoint> endpoints,
      Callers callers,
      RequestMeter meter,
      OwnWork ownWork,
      AuditTrail audit,
      Standing standing,
      LeaderRelay relay,
      TrustedProxies proxies,
      RateLimit limit) {
    this.endpoints = List.copyOf(endpoints);
    this.callers = callers;
    this.meter = meter;
    this.ownWork = ownWork;
    this.audit = audit;
    this.standing = standing;
    this.relay = relay;
    this.proxies = proxies;
    this.limit = limit;
    this.live = new LiveStreams(standing);
  }

  public List<Endpoint> endpoints() {
    return endpoints;
  }

  public ConnectionWatch watch() {
    return watch;
  }

  public Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    router.route().handler(this::prepare);
    for (Endpoint endpoint : endpoints) {
      router
          .route(endpoint.method(), endpoint.pattern())
          .handler(context -> serve(endpoint, context));
    }
    router.errorHandler(404, context -> unknown(context));
    router.errorHandler(405, context -> wrongMethod(context));
    router.errorHandler(400, context -> fail(context, 400, "invalid", "Not a valid request."));
    router.errorHandler(500, context -> fail(context, 500, "internal", ErrorAnswers.INTERNAL));
    return router;
  }

  private void prepare(RoutingContext context) {
    SecurityHeaders.put(context.response());
    HttpConnection connection = context.request().connection();
    watch.begun(connection);
    context.addEndHandler(_ -> watch.ended(connection));
    context.next();
  }

  private void serve(Endpoint endpoint, RoutingContext context) {
    Optional<Identity> caller = callers.identify(context.request());
    Exchange exchange = new Exchange(context, caller.orElse(null), live, proxies);
    if (endpoint.blocking()) {
      meter.measure(endpoint, context);
    }
    RateLimit.Turn turn = limit.take(caller, exchange.address(), endpoint.blocking());
    if (turn.isRefused()) {
      refuseMore(endpoint, exchange, turn);
      return;
    }
    if (endpoint.access() != Access.OPEN) {
      if (caller.isEmpty()) {
        refuse(endpoint, exchange, ErrorAnswers.unknownCaller());
        return;
      }
      if (!endpoint.access().allows(caller.get().role())) {
        refuse(endpoint, exchange, ErrorAnswers.forbidden(endpoint.access(), caller.get().role()));
        return;
      }
    }
    if (threads.isShutdown()) { // also no agent that would come back a moment too early
      refuse(endpoint, exchange, ErrorAnswers.stopping());
      return;
    }
    List<String> servers = standing.servers();
    if (caller.isPresent() && !servers.isEmpty()) {
      context.response().putHeader(SERVERS, String.join(",", servers));
    }
    standing.position().ifPresent(position -> context.response().putHeader(POSITION, position));
    if (!standing.leads() && !StandbyRoutes.serves(endpoint, context.request())) {
      sendToLeader(endpoint, exchange, turn);
    } else if (endpoint.blocking()) {
      submit(endpoint, exchange, turn);
    } else {
      watch.leave(context.request().connection());
      run(endpoint, exchange, turn);
    }
  }

  /** Breaks off what only a leader has to tell; from any thread. */
  public void endLiveStreams() {
    live.breakOffAll();
  }

  private void sendToLeader(Endpoint endpoint, Exchange exchange, RateLimit.Turn turn) {
    Optional<String> leader = standing.leader();
    if (leader.isPresent() && LeaderRelay.takes(exchange.request())) {
      submit(endpoint.answeredBy(other -> relay.pass(leader.get(), other)), exchange, turn);
      return;
    }
    exchange.response().putHeader("Retry-After", "1");
    leader.ifPresent(
        address ->
            exchange
                .response()
                .putHeader(HttpHeaders.LOCATION, address + exchange.request().uri()));
    refuse(endpoint, exchange, ErrorAnswers.notLeading(leader));
  }

  private void submit(Endpoint endpoint, Exchange exchange, RateLimit.Turn turn) {
    try {
      threads.execute(() -> run(endpoint, exchange, turn));
    } catch (RejectedExecutionException e) {
      refuse(endpoint, exchange, ErrorAnswers.stopping());
    }
  }

  private void run(Endpoint endpoint, Exchange exchange, RateLimit.Turn turn) {
    try {
      if (endpoint.blocking()) {
        if (turn.waitMillis() > 0) {
          Thread.sleep(turn.waitMillis());
        }
        ownWork.check(endpoint, exchange);
      }
      endpoint.handler().handle(exchange);
    } catch (Exception e) {
      errors.answer(exchange, e, () -> closeIfMuchIsUnread(exchange));
    } catch (LinkageError e) { // a part of the server is missing: the caller must not wait for ever
      errors.answer(
          exchange,
          new IllegalStateException("this server is incomplete", e),
          () -> closeIfMuchIsUnread(exchange));
    } finally {
      live.ended(exchange);
      if (endpoint.blocking() && exchange.requestBody().isUnread()) {
        exchange.requestBody().discard();
      }
      if (endpoint.blocking()) {
        audit.answered(endpoint, exchange);
      }
    }
  }

  private void refuse(Endpoint endpoint, Exchange exchange, ApiException why) {
    closeIfMuchIsUnread(exchange);
    ErrorAnswers.send(exchange.response(), why.status(), why.view());
    exchange.requestBody().discard();
    try {
      threads.execute(() -> audit.answered(endpoint, exchange));
    } catch (RejectedExecutionException e) {
      return; // nobody is there to write it down any more
    }
  }

  private static void closeIfMuchIsUnread(Exchange exchange) {
    boolean chunked = exchange.header("Transfer-Encoding").isPresent();
    boolean large =
        exchange.header("Content-Length").map(text -> text.length() > 7).orElse(false)
            || exchange.header("Expect").isPresent();
    if (exchange.requestBody().isUnread() && (chunked || large)) {
      exchange.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
  }

  private void refuseMore(Endpoint endpoint, Exchange exchange, RateLimit.Turn turn) {
    int seconds = turn.retrySeconds();
    exchange.response().putHeader("Retry-After", Integer.toString(seconds));
    refuse(endpoint, exchange, ErrorAnswers.tooMany(seconds));
  }

  private void unknown(RoutingContext context) {
    Optional<Identity> caller = callers.identify(context.request());
    Exchange exchange = new Exchange(context, caller.orElse(null), live, proxies);
    RateLimit.Turn turn = limit.take(caller, exchange.address(), false);
    if (turn.isRefused()) {
      refuseMore(NOWHERE, exchange, turn);
      return;
    }
    if (context.request().path().startsWith("/api/") && caller.isEmpty()) {
      refuse(NOWHERE, exchange, ErrorAnswers.unknownCaller());
      return;
    }
    fail(context, 404, "not_found", "There is nothing at " + context.request().path() + ".");
  }

  private void wrongMethod(RoutingContext context) {
    String path = context.request().path();
    TreeSet<String> allowed = new TreeSet<>();
    for (Endpoint endpoint : endpoints) {
      if (endpoint.matches(path)) {
        allowed.add(endpoint.method().name());
      }
    }
    context.response().putHeader(HttpHeaders.ALLOW, String.join(", ", allowed));
    fail(
        context,
        405,
        "method_not_allowed",
        "%s is not possible here; use %s."
            .formatted(context.request().method(), String.join(" or ", allowed)));
  }

  private static void fail(RoutingContext context, int status, String code, String message) {
    send(context, ApiException.of(status, code, message));
  }

  private static void send(RoutingContext context, ApiException why) {
    HttpServerResponse response = context.response();
    SecurityHeaders.put(response);
    ErrorAnswers.send(response, why.status(), why.view());
  }

  /** Lets requests under way finish, but not those that would go on for ever. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
