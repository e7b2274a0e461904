package dev.imker.testkit;

import static org.awaitility.Awaitility.await;

import dev.imker.client.Imker;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One pool for all tests of a class, with a client. */
final class SharedPool implements BeforeAllCallback, AfterAllCallback {
  private @Nullable HttpClient http;
  private @Nullable Path folder;
  private @Nullable TestPool pool;
  private @Nullable Imker imker;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    http = HttpClient.newHttpClient();
    folder = Files.createTempDirectory("imker-pool-");
    pool = TestPool.start(folder());
    imker = pool.connect();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    imker().close();
    pool().close();
    http().shutdownNow();
    // What ends at this moment may still write, or tidy up behind itself.
    await().ignoreExceptions().until(this::isDeleted);
  }

  private boolean isDeleted() throws IOException {
    try (Stream<Path> tree = Files.walk(folder())) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
    return !Files.exists(folder());
  }

  private HttpClient http() {
    return Objects.requireNonNull(http);
  }

  /** The pool's own; tests may put files beside it. */
  Path folder() {
    return Objects.requireNonNull(folder);
  }

  TestPool pool() {
    return Objects.requireNonNull(pool);
  }

  Imker imker() {
    return Objects.requireNonNull(imker);
  }

  /** A request to the server, as its admin. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(pool().server().address().resolve(path))
        .header("Authorization", "Bearer " + pool().server().adminToken());
  }

  /** Asks the server; the body of its answer. */
  String ask(String method, String path, String json) throws IOException, InterruptedException {
    return answer(
        request(path)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(json)));
  }

  String get(String path) throws IOException, InterruptedException {
    return answer(request(path));
  }

  void putBlob(String sha256, byte[] content) throws IOException, InterruptedException {
    answer(
        request("/api/v1/blobs/" + sha256)
            .header("Content-Type", "application/octet-stream")
            .PUT(BodyPublishers.ofByteArray(content)));
  }

  private String answer(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  /** The lines of an answer, as they come. */
  Stream<String> follow(String path) throws IOException, InterruptedException {
    return http().send(request(path).build(), HttpResponse.BodyHandlers.ofLines()).body();
  }

  /** The first field of that name; empty if there is none. */
  static String field(String name, String json) {
    Matcher value = Pattern.compile("\"" + name + "\":\"?([^\",}]+)").matcher(json);
    return value.find() ? value.group(1) : "";
  }
}
