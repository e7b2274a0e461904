package dev.imker.agent.internal.cache;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.luben.zstd.ZstdInputStream;
import dev.imker.model.BlobId;
import dev.imker.model.Lease;
import dev.imker.model.http.Answer;
import dev.imker.model.http.HttpExchanges;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Downloads and uploads blobs. Both are streamed: memory use does not depend on the size of a blob.
 */
public final class BlobClient implements BlobSource, AutoCloseable {
  /** The header that names the task for which a file is stored. */
  private static final String LEASE_HEADER = "Imker-Lease";

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  /** Below this size, asking whether the server has a file costs more than sending it. */
  private static final long ALWAYS_SENT_BYTES = 64 << 10;

  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);

  /** How long neither side may move a byte; the server also hashes and syncs in that time. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(30);

  /** The bytes per second that a server silently forwards before it answers. */
  private static final long PASSED_ON_BYTES_PER_SECOND = 2 << 20;

  /** How long a reachable server may fail to store a blob, from its first failure on. */
  private static final Duration REFUSAL_PATIENCE = Duration.ofMinutes(2);

  private final ServerAccess server;
  private final long patienceMillis;
  private final Duration maxSilence;
  private final Duration refusalPatience;
  private final HttpExchanges exchanges;

  /**
   * @param fingerprint of the server's certificate, empty without TLS
   * @param patienceMillis how long to wait for a server that is away
   */
  public BlobClient(ServerAccess server, String fingerprint, long patienceMillis) {
    this(server, fingerprint, patienceMillis, MAX_SILENCE, REFUSAL_PATIENCE);
  }

  BlobClient(
      ServerAccess server,
      String fingerprint,
      long patienceMillis,
      Duration maxSilence,
      Duration refusalPatience) {
    this.server = server;
    this.patienceMillis = patienceMillis;
    this.maxSilence = maxSilence;
    this.refusalPatience = refusalPatience;
    this.exchanges = new HttpExchanges(fingerprint, null, CONNECT_PATIENCE);
  }

  /**
   * Sends any other request to the connected server, or waits for one. The caller reads and has to
   * close the body of the answer.
   *
   * @param path and query
   * @throws IllegalArgumentException if the path leads to another server
   */
  public HttpResponse<InputStream> send(
      String path, long waitMillis, Duration silence, UnaryOperator<HttpRequest.Builder> completion)
      throws IOException, InterruptedException {
    ServerAccess.Access access = server.await(waitMillis);
    return open(access, completion.apply(HttpRequest.newBuilder(access.at(path))), silence);
  }

  private HttpResponse<InputStream> open(
      ServerAccess.Access to, HttpRequest.Builder request, Duration silence)
      throws IOException, InterruptedException {
    return exchanges.open(request.build(), silence, silent -> server.whyDead(to, silent));
  }

  Answer send(ServerAccess.Access to, HttpRequest.Builder request, Duration silence)
      throws IOException, InterruptedException {
    return exchanges.send(request.build(), silence, silent -> server.whyDead(to, silent));
  }

  @Override
  public Content open(BlobId blob, long offset) throws IOException, InterruptedException {
    ServerAccess.Access access = server.await(patienceMillis);
    HttpRequest.Builder request = request(access, blob).GET();
    if (offset > 0) {
      request.header("Range", "bytes=" + offset + "-");
    } else if (access.encodings().contains(Compression.ZSTD) && !isHere(access.base())) {
      request.header("Accept-Encoding", Compression.ZSTD);
    }
    HttpResponse<InputStream> response = open(access, request, maxSilence);
    int status = response.statusCode();
    if (status == 200 || status == 206) {
      return new Content(content(response), status == 206 ? offset : 0);
    }
    response.body().close();
    if (status == 416 && offset > 0) {
      return open(blob, 0); // the partial file is longer than the blob
    }
    throw refusal("fetch", blob, status, "");
  }

  /** Whether the server is on this machine, so that compression saves nothing. */
  private static boolean isHere(URI server) {
    return server.getHost().equals("localhost") || server.getHost().startsWith("127.");
  }

  private static InputStream content(HttpResponse<InputStream> response) throws IOException {
    String encoding = response.headers().firstValue("Content-Encoding").orElse("");
    return encoding.equals(Compression.ZSTD)
        ? new ZstdInputStream(response.body())
        : response.body();
  }

  /**
   * Stores a file as a blob; waits and retries while the server is away.
   *
   * @throws BlobException when the server refuses it, or is away for too long
   */
  public void upload(BlobId blob, Path file) throws IOException, InterruptedException {
    upload(blob, file, "");
  }

  /** As above, for a task of this agent: the file counts towards its user's storage. */
  public void upload(BlobId blob, Path file, Lease lease) throws IOException, InterruptedException {
    upload(blob, file, lease.text());
  }

  private void upload(BlobId blob, Path file, String lease)
      throws IOException, InterruptedException {
    long size = Files.size(file);
    long pauseMillis = FIRST_PAUSE_MILLIS;
    ServerAccess.Access failing = null;
    long deadlineNanos = 0;
    while (true) {
      ServerAccess.Access access = server.await(patienceMillis);
      long begunNanos = System.nanoTime();
      try {
        if (size < ALWAYS_SENT_BYTES || !isStored(access, blob, lease)) {
          put(access, blob, file, lease);
        }
        return;
      } catch (IOException e) {
        if (!Files.isReadable(file)) {
          throw e;
        }
        long nowNanos = System.nanoTime();
        boolean wentWell = nowNanos - begunNanos > refusalPatience.toNanos();
        if (!access.equals(failing) || wentWell) { // another connection, or a long one that broke
          failing = access;
          deadlineNanos = nowNanos + refusalPatience.toNanos();
        } else if (nowNanos - deadlineNanos > 0) {
          throw BlobException.temporary("Could not store blob " + blob + ": " + e.getMessage(), e);
        }
        Thread.sleep(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
    }
  }

  /** Has the server keep for a while longer what is stored for a task, and named nowhere yet. */
  public void keep(BlobId blob, Lease lease) throws IOException, InterruptedException {
    isStored(server.await(patienceMillis), blob, lease.text());
  }

  private boolean isStored(ServerAccess.Access access, BlobId blob, String lease)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        forTask(request(access, blob), lease).method("HEAD", HttpRequest.BodyPublishers.noBody());
    return send(access, request, maxSilence).status() == 200;
  }

  private void put(ServerAccess.Access access, BlobId blob, Path file, String lease)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = forTask(request(access, blob), lease);
    if (access.encodings().contains(Compression.ZSTD) && Compression.pays(file)) {
      request
          .header("Content-Encoding", Compression.ZSTD)
          .PUT(HttpRequest.BodyPublishers.ofInputStream(() -> Compression.compressed(file)));
    } else {
      request.PUT(HttpRequest.BodyPublishers.ofFile(file));
    }
    Duration silence = maxSilence.plusSeconds(Files.size(file) / PASSED_ON_BYTES_PER_SECOND);
    Answer answer = send(access, request, silence);
    if (!answer.isGood()) {
      throw refusal("store", blob, answer.status(), words(answer.body()));
    }
  }

  private static HttpRequest.Builder forTask(HttpRequest.Builder request, String lease) {
    return lease.isEmpty() ? request : request.header(LEASE_HEADER, lease);
  }

  /** The server's reason for a refusal, if any. */
  private static String words(byte[] body) {
    try {
      return JSON.readTree(body).at("/error/message").asText("");
    } catch (IOException e) {
      return "";
    }
  }

  private static HttpRequest.Builder request(ServerAccess.Access access, BlobId blob) {
    return HttpRequest.newBuilder(access.at("/api/v1/blobs/" + blob))
        .header("Authorization", "Bearer " + access.token());
  }

  /** Permanent refusals are permanent exceptions; others are temporary. */
  private static IOException refusal(String what, BlobId blob, int status, String words)
      throws IOException {
    if (status == 404) {
      throw BlobException.forGood("The server does not have blob " + blob + ".");
    }
    if (status == 400 || status == 409 || status == 413 || status == 422) {
      throw BlobException.forGood(
          words.isEmpty()
              ? "The server refused to " + what + " blob " + blob + " (status " + status + ")."
              : "The server refused to " + what + " a file: " + words);
    }
    return new IOException("the server answered with status " + status);
  }

  @Override
  public void close() {
    exchanges.close();
  }
}
