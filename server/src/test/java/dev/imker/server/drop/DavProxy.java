package dev.imker.server.drop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;

/** A way to a WebDAV server on which something may go wrong. */
final class DavProxy implements AutoCloseable {
  /** What happens on the way. */
  interface Trouble {
    /** Whether the request gets to the server. */
    default boolean passes(String method, String path) {
      return true;
    }

    /** What comes back instead of an answer; a negative status: the connection ends. */
    default Reply answer(String method, String path, Reply reply) {
      return reply;
    }

    Trouble NONE = new Trouble() {};
  }

  /**
   * An answer.
   *
   * @param stalls whether only half of it comes, and then nothing
   */
  record Reply(int status, byte[] body, boolean stalls) {}

  private final URI target;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile Trouble trouble = Trouble.NONE;

  DavProxy(String target) throws IOException {
    this.target = URI.create(target);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::pass);
    server.start();
  }

  void trouble(Trouble now) {
    trouble = now;
  }

  String address(String name) {
    return own() + "/" + name;
  }

  private String own() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void pass(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    String path = exchange.getRequestURI().getRawPath();
    Reply reply = new Reply(-1, new byte[0], false);
    Trouble now = trouble;
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (now.passes(method, path)) {
      reply = forward(exchange, method, path, body);
    }
    reply = now.answer(method, path, reply);
    if (reply.status() > 0) {
      int length = reply.body().length;
      exchange.sendResponseHeaders(
          reply.status(), reply.stalls() ? length + 10L : length == 0 ? -1 : length);
      OutputStream out = exchange.getResponseBody();
      out.write(reply.body());
      out.flush();
      if (reply.stalls()) {
        return; // and nothing more
      }
    }
    exchange.close();
  }

  private Reply forward(HttpExchange exchange, String method, String path, byte[] body)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target.resolve(path))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    for (String name : new String[] {"Authorization", "Depth", "Overwrite", "Content-Type"}) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    String destination = exchange.getRequestHeaders().getFirst("Destination");
    if (destination != null) {
      request.header(
          "Destination",
          destination.replace(own(), target.resolve("/").toString().replaceAll("/$", "")));
    }
    try {
      HttpResponse<byte[]> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return new Reply(answer.statusCode(), answer.body(), false);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    client.shutdownNow();
  }
}
