package dev.imker.chaos.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.JobId;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Where web hooks of jobs arrive. Counts the messages about each job. */
final class HookReceiver implements AutoCloseable {
  private static final int ANY_PORT = 9;

  private final HttpServer server;
  private final Map<JobId, Integer> received = new ConcurrentHashMap<>();

  /**
   * @param pool a server, which is to reach this receiver as this one reaches it
   */
  HookReceiver(URI pool) throws IOException {
    InetAddress own;
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(pool.getHost(), ANY_PORT));
      own = socket.getLocalAddress();
    }
    server = HttpServer.create(new InetSocketAddress(own, 0), 0);
    server.createContext("/", this::take);
    server.start();
  }

  String url() {
    return "http://%s:%d/"
        .formatted(server.getAddress().getHostString(), server.getAddress().getPort());
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      long job = ApiClient.json().readTree(exchange.getRequestBody()).at("/job/id").asLong();
      received.merge(new JobId(job), 1, Integer::sum);
      exchange.sendResponseHeaders(204, -1);
    }
  }

  int received(JobId job) {
    return received.getOrDefault(job, 0);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
