package dev.imker.server.page;

import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The documentation of this build. It tells nothing of the pool, so anybody may read it. */
final class HandbookRoutes {
  private static final String BRIEFLY = "public, max-age=3600";
  private static final int MAX_QUERY = 200;

  private final java.util.function.Supplier<PageFiles> files;
  private final Map<String, PageFile> rendered = new ConcurrentHashMap<>();
  private @Nullable Handbook book;

  HandbookRoutes(java.util.function.Supplier<PageFiles> files) {
    this.files = files;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/docs", Access.OPEN, HandbookRoutes::start),
        Endpoint.get("/docs/search", Access.OPEN, this::search),
        Endpoint.get("/docs/{file*}", Access.OPEN, this::file));
  }

  /** Relative to what was asked for, {@code /docs} or {@code /docs/}. */
  private static void start(Exchange exchange) throws IOException {
    boolean inside = exchange.request().path().endsWith("/");
    exchange.redirect((inside ? "" : "docs/") + Handbook.START);
  }

  /** Read at first use: most servers are never asked. */
  private synchronized Handbook book() {
    if (book == null) {
      book = new Handbook();
    }
    return book;
  }

  private void file(Exchange exchange) throws IOException {
    String name = exchange.pathAfter(1);
    PageFile known = rendered.get(name);
    if (known == null) {
      known = read(name);
      rendered.put(name, known);
    }
    PageRoutes.send(exchange, known, BRIEFLY);
  }

  private PageFile read(String name) {
    return book()
        .page(name)
        .map(page -> document(name, page, ""))
        .or(() -> book().picture(name).map(picture -> PageFile.of(name, picture)))
        .orElseThrow(() -> ApiException.notFound("The documentation has no page " + name + "."));
  }

  private void search(Exchange exchange) throws IOException {
    String query = exchange.query("q").orElse("");
    String cut = query.substring(0, Math.min(MAX_QUERY, query.length()));
    PageFile found = document("search", book().search(cut), cut);
    exchange.bytes(200, found.type(), found.content());
  }

  /** Everything but the article stands in one document; the article is safe as it is rendered. */
  private PageFile document(String name, Handbook.Page page, String query) {
    String up = "../".repeat((int) name.chars().filter(c -> c == '/').count());
    String text =
        files
            .get()
            .document("docs.html")
            .text()
            .replace("<!-- up -->", up)
            .replace("<!-- root -->", up + "../")
            .replace("<!-- query -->", escaped(query))
            .replace("<!-- title -->", escaped(page.title()))
            .replace("<!-- article -->", page.html());
    return PageFile.of("docs.html", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
