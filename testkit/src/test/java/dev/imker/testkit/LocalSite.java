package dev.imker.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A web site of so many pages, each with links to three others. */
final class LocalSite implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger reads = new AtomicInteger();
  private final int pages;

  private LocalSite(int pages) throws IOException {
    this.pages = pages;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
  }

  static LocalSite start(int pages) throws IOException {
    LocalSite site = new LocalSite(pages);
    site.server.start();
    return site;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      reads.incrementAndGet();
      long page = Long.parseLong(exchange.getRequestURI().getPath().substring(1));
      String text =
          "<a href=\"/%d\">one</a> <a href=\"/%d\">two</a> <a href=\"/%d#end\">three</a>"
              .formatted((page + 1) % pages, 2 * page % pages, (3 * page + 7) % pages);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  String first() {
    return "http://localhost:" + server.getAddress().getPort() + "/0";
  }

  int reads() {
    return reads.get();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
