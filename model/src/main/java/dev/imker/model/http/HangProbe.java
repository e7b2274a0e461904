package dev.imker.model.http;

import dev.imker.model.connection.ServerList;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Detects servers that hang or whose machine lost power: their connections stay open and silent. A
 * server that owes an answer and is silent is sent a small request; the answer may take its time as
 * long as that request is answered. Otherwise nothing else is sent to the server until it is. A
 * pool's only server is given much more time.
 */
final class HangProbe {
  static final Duration PROBE_AFTER = Duration.ofSeconds(2);
  private static final Duration PROBE_ONLY_SERVER_AFTER = Duration.ofSeconds(45);
  static final Duration FIRST_PATIENCE = Duration.ofSeconds(4);
  private static final Duration MAX_PATIENCE = Duration.ofSeconds(48);
  private static final String QUESTION = "/api/v1/pool";

  private enum Reply {
    LEADS,
    FOLLOWS,
    NONE,
    /** Nobody listens there any more; existing connections may still get their answers. */
    REFUSED
  }

  /**
   * @param reply null while it is outstanding
   * @param wasHanging whether there was no reply the last time
   */
  private record Asked(long nanos, @Nullable Reply reply, boolean wasHanging) {
    boolean isHanging() {
      return reply == null ? wasHanging : reply == Reply.NONE;
    }
  }

  private final HttpExchanges http;
  private final ServerList servers;
  private final BiFunction<String, String, HttpRequest.Builder> requests;
  private final Duration lookAfter;
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();
  private volatile Duration patience;

  /**
   * @param requests to a server and path
   */
  HangProbe(
      HttpExchanges http,
      ServerList servers,
      BiFunction<String, String, HttpRequest.Builder> requests,
      Duration lookAfter,
      Duration patience) {
    this.http = http;
    this.servers = servers;
    this.requests = requests;
    this.lookAfter = lookAfter;
    this.patience = patience;
  }

  void requireAnswering(String server) throws IOException {
    Asked last = asked.get(server);
    if (last != null && last.isHanging() && servers.hasSeveral()) {
      ask(server, last);
      throw new ConnectException(server + " does not answer");
    }
  }

  /** Why a call will not be answered; empty if it may be. */
  String whyDead(String server, Call call, Duration silence) {
    if (silence.compareTo(servers.hasSeveral() ? lookAfter : PROBE_ONLY_SERVER_AFTER) < 0
        || !call.awaited().getAsBoolean()) {
      return "";
    }
    Asked last = asked.get(server);
    long nowNanos = System.nanoTime();
    if (last == null || last.nanos - (nowNanos - silence.toNanos()) < 0) { // before the silence
      ask(server, last);
      return "";
    }
    if (last.reply == Reply.NONE) {
      servers.leave(server);
      return server + " stopped answering";
    }
    if (last.reply == Reply.FOLLOWS && call.live()) {
      servers.leave(server);
      return server + " is no longer the leader";
    }
    if (nowNanos - last.nanos > silence.toNanos() / 2) {
      ask(server, last);
    }
    return "";
  }

  /** Sends the request unless one is under way. */
  private void ask(String server, @Nullable Asked last) {
    if (last != null && last.reply == null) {
      return;
    }
    boolean wasHanging = last != null && last.isHanging();
    Asked now = new Asked(System.nanoTime(), null, wasHanging);
    if (last == null ? asked.putIfAbsent(server, now) != null : !asked.replace(server, last, now)) {
      return;
    }
    var _ =
        http.ask(requests.apply(server, QUESTION).build(), patience)
            .handle(HangProbe::reply)
            .thenAccept(
                reply -> {
                  asked.put(server, new Asked(now.nanos, reply, wasHanging));
                  if (wasHanging
                      && reply == Reply.LEADS) { // it was only slow, and may be slow again
                    Duration doubled = patience.multipliedBy(2);
                    patience = doubled.compareTo(MAX_PATIENCE) < 0 ? doubled : MAX_PATIENCE;
                  }
                });
  }

  private static Reply reply(@Nullable Integer status, @Nullable Throwable failure) {
    if (status != null) {
      return status == 307 || status == 503 ? Reply.FOLLOWS : Reply.LEADS;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ConnectException ? Reply.REFUSED : Reply.NONE;
  }
}
