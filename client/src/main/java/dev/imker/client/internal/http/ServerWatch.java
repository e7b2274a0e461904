package dev.imker.client.internal.http;

import dev.imker.model.connection.ServerList;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Notices servers that stand still, or whose machine lost power: connections to them stay open and
 * bring nothing. While something is waited for, every server that owes it is asked whether it
 * leads. One that says nothing is shunned until it speaks again, and whoever waited for it asks
 * another one. Where there is only one server, it is waited for.
 */
final class ServerWatch implements Runnable {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration FIRST_PATIENCE = Duration.ofSeconds(3);
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(48);
  private static final String QUESTION = "/api/v1/pool";

  private enum Reply {
    LEADS,
    FOLLOWS,
    NONE,
    /** Nobody is there; whoever had a connection knows. */
    REFUSED
  }

  private final HttpConnections http;
  private final ServerList servers;
  private final Map<String, String> headers;
  private final BooleanSupplier streams;
  private final Duration interval;
  private Duration patience;

  /**
   * @param streams whether something is expected of streams at present
   */
  ServerWatch(
      HttpConnections http,
      ServerList servers,
      Map<String, String> headers,
      BooleanSupplier streams) {
    this(http, servers, headers, streams, INTERVAL, FIRST_PATIENCE);
  }

  ServerWatch(
      HttpConnections http,
      ServerList servers,
      Map<String, String> headers,
      BooleanSupplier streams,
      Duration interval,
      Duration patience) {
    this.http = http;
    this.servers = servers;
    this.headers = Map.copyOf(headers);
    this.streams = streams;
    this.interval = interval;
    this.patience = patience;
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(interval);
        http.shunned().forEach(this::forgiveIfBack);
        if (servers.hasSeveral()) {
          http.awaited(streams.getAsBoolean()).forEach(this::look);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody waits for anything any more
    }
  }

  private void look(URI server) {
    switch (ask(server)) {
      case NONE -> {
        http.shun(server);
        servers.leave(server.toString());
      }
      case FOLLOWS -> http.endStreams(server); // it led when they began
      case LEADS, REFUSED -> {}
    }
  }

  private void forgiveIfBack(URI server) {
    Reply reply = ask(server);
    if (reply == Reply.NONE) {
      return;
    }
    http.forgive(server);
    if (reply == Reply.LEADS) { // it was slow only, and may be so again
      Duration doubled = patience.multipliedBy(2);
      patience = doubled.compareTo(MOST_PATIENCE) < 0 ? doubled : MOST_PATIENCE;
    }
  }

  private Reply ask(URI server) {
    try {
      int status = http.knock(server, QUESTION, headers, patience);
      return status == 307 || status == 503 ? Reply.FOLLOWS : Reply.LEADS;
    } catch (ConnectException e) {
      return Reply.REFUSED;
    } catch (IOException e) {
      return Reply.NONE;
    }
  }
}
