package dev.imker.agent.internal.cache;

import dev.imker.model.BlobId;
import dev.imker.model.PinnedCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;

/**
 * Fetches blobs from the server and stores them there. Both stream: memory does not depend on the
 * size of a blob.
 */
public final class BlobClient implements BlobSource, AutoCloseable {
  private static final int ATTEMPTS = 8;
  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  /** Below this size asking whether the server has it costs more than sending it. */
  private static final long ALWAYS_SENT_BYTES = 64 << 10;

  private final ServerAccess server;
  private final long patienceMillis;
  private final HttpClient http;

  /**
   * @param fingerprint of the server's certificate, empty without TLS
   * @param patienceMillis how long to wait for a server that is away
   */
  public BlobClient(ServerAccess server, String fingerprint, long patienceMillis) {
    this.server = server;
    this.patienceMillis = patienceMillis;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .executor(Executors.newVirtualThreadPerTaskExecutor());
    if (!fingerprint.isEmpty()) {
      builder.sslContext(PinnedCertificate.context(fingerprint));
    }
    this.http = builder.build();
  }

  HttpClient http() {
    return http;
  }

  @Override
  public Content open(BlobId blob, long offset) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(blob).GET();
    if (offset > 0) {
      request.header("Range", "bytes=" + offset + "-");
    }
    HttpResponse<InputStream> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    int status = response.statusCode();
    if (status == 200 || status == 206) {
      return new Content(response.body(), status == 206 ? offset : 0);
    }
    response.body().close();
    if (status == 416 && offset > 0) {
      return open(blob, 0); // what we have is longer than the blob
    }
    throw refusal("fetch", blob, status);
  }

  /**
   * Stores a file as a blob; waits and tries again while the server is away.
   *
   * @throws BlobException when the server refuses it, or is away for too long
   */
  public void upload(BlobId blob, Path file) throws InterruptedException {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    for (int attempt = 1; ; attempt++) {
      try {
        if (Files.size(file) < ALWAYS_SENT_BYTES || !serverHas(blob)) {
          put(blob, file);
        }
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw BlobException.temporary("Could not store blob " + blob + ": " + e.getMessage(), e);
        }
        Thread.sleep(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
    }
  }

  private boolean serverHas(BlobId blob) throws IOException, InterruptedException {
    HttpRequest request = request(blob).method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
  }

  private void put(BlobId blob, Path file) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(blob);
    if (server.takes(Compression.ZSTD) && Compression.pays(file)) {
      request
          .header("Content-Encoding", Compression.ZSTD)
          .PUT(HttpRequest.BodyPublishers.ofInputStream(() -> Compression.compressed(file)));
    } else {
      request.PUT(HttpRequest.BodyPublishers.ofFile(file));
    }
    int status = http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    if (status / 100 != 2) {
      throw refusal("store", blob, status);
    }
  }

  private HttpRequest.Builder request(BlobId blob) throws InterruptedException {
    ServerAccess.Access access = server.await(patienceMillis);
    URI uri = access.base().resolve("/api/v1/blobs/" + blob);
    return HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + access.token());
  }

  /** What the server will say again is an exception for good; the rest may pass. */
  private static IOException refusal(String what, BlobId blob, int status) throws IOException {
    if (status == 404) {
      throw BlobException.forGood("The server does not have blob " + blob + ".");
    }
    if (status == 400 || status == 409 || status == 413 || status == 422) {
      throw BlobException.forGood(
          "The server refused to " + what + " blob " + blob + " (status " + status + ").");
    }
    return new IOException("the server answered with status " + status);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
