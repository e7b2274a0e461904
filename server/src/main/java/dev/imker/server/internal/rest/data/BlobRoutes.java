package dev.imker.server.internal.rest.data;

import com.github.luben.zstd.ZstdInputStream;
import dev.imker.model.BandwidthNoise;
import dev.imker.model.BlobId;
import dev.imker.model.text.SafeText;
import dev.imker.server.gateway.AgentFiles;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Quotas;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.rest.request.BlobAnswers;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.settings.DiskReserve;
import dev.imker.store.StoreFullException;
import dev.imker.store.blobs.BlobMismatchException;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobUpload;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/blobs}: files by the hash of their content. */
public record BlobRoutes(
    BlobStore blobs,
    UserFiles files,
    Quotas quotas,
    DiskReserve disk,
    RefusedResults refused,
    AgentFiles agentFiles) {
  private static final int MAX_ASKED = 100_000;
  private static final int MAX_ASKED_BYTES = 10 << 20;

  /** What a stream may make the server hold in memory: 8 MB, the most that level 19 asks for. */
  private static final int MAX_WINDOW_LOG = 23;

  private static final int PIECE_BYTES = 64 << 10;

  /** Which of the blobs asked for are not here. */
  public record Missing(List<String> missing) {}

  public record Stored(String sha256, long size) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/api/v1/blobs/missing", Access.WORK, this::missing),
        Endpoint.put("/api/v1/blobs/{sha256}", Access.STORE, this::store),
        Endpoint.head("/api/v1/blobs/{sha256}", Access.KNOWN, this::head),
        Endpoint.get("/api/v1/blobs/{sha256}", Access.KNOWN, this::fetch));
  }

  private static BlobId blobId(String text, String field) {
    if (!BlobId.isValid(text)) {
      throw ApiException.invalid(
          field, "'" + text + "' is not a SHA-256 in lower-case hexadecimal (64 characters).");
    }
    return new BlobId(text);
  }

  private void missing(Exchange exchange) throws IOException {
    JsonFields body = JsonFields.of(exchange.json(MAX_ASKED_BYTES), "", Set.of("blobs"));
    List<BlobId> wanted =
        body.texts("blobs", MAX_ASKED).stream()
            .distinct()
            .map(text -> blobId(text, "blobs"))
            .toList();
    exchange.json(
        200,
        new Missing(
            files.missing(exchange.identity(), wanted).stream().map(BlobId::sha256).toList()));
  }

  private void store(Exchange exchange) throws IOException, InterruptedException {
    BlobId blob = blobId(exchange.param("sha256"), "sha256");
    Identity caller = exchange.identity();
    if (caller.role() == Role.AGENT && agentFiles.isCommon(blob)) {
      storeCommon(exchange, blob);
      return;
    }
    String user = caller.role() == Role.AGENT ? userOfTask(exchange) : caller.user();
    boolean known = caller.role() == Role.AGENT ? files.has(user, blob) : files.has(caller, blob);
    if (known) {
      long size = BlobAnswers.requireSize(blobs, blob);
      if (caller.role() == Role.AGENT) {
        files.brought(user, blob, size); // it stays the user's from now on
      }
      exchange.json(200, new Stored(blob.sha256(), size));
      return;
    }
    long room = quotas.storageLeft(user);
    long announced = exchange.announcedLength();
    if (announced > room) {
      throw quotas.storageExceeded(user, announced);
    }
    if (caller.role() == Role.AGENT) {
      keepResult(exchange, blob, user, room);
    } else {
      keep(exchange, blob, user, room, new RoomWatch(disk::lack, announced));
    }
  }

  /** While there is no room, the agent comes again with it. */
  private void keepResult(Exchange exchange, BlobId blob, String user, long room)
      throws IOException, InterruptedException {
    String lease = exchange.header(AgentFiles.LEASE_HEADER).orElse("");
    try {
      // However much was announced, the database stays writable.
      RoomWatch watch = new RoomWatch(disk::lackForResults, exchange.announcedLength());
      keep(exchange, blob, user, room, watch);
      refused.kept(lease);
    } catch (ApiException e) {
      if (e.status() == ApiException.NO_ROOM) {
        refused.refused(lease, String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  private void keep(Exchange exchange, BlobId blob, String user, long room, RoomWatch watch)
      throws IOException, InterruptedException {
    try (BlobUpload upload = blobs.upload(blob);
        InputStream content = content(exchange)) {
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = content.read(piece); count >= 0; count = content.read(piece)) {
        keep(upload, piece, count);
        watch.came(upload.size());
        if (upload.size() > room) {
          throw quotas.storageExceeded(user, upload.size());
        }
      }
      upload.finish();
      files.brought(user, blob, upload.size());
      exchange.json(201, new Stored(blob.sha256(), upload.size()));
    } catch (BlobMismatchException e) {
      throw ApiException.of(
          422,
          "hash_mismatch",
          "The content does not match " + blob + "; nothing was stored. Send it again.",
          "sha256");
    } catch (StoreFullException e) {
      throw notKept("there is no space left");
    }
  }

  /** What the server cannot keep is the server's trouble, unlike a request that breaks off. */
  static void keep(BlobUpload upload, byte[] piece, int count) {
    try {
      upload.write(piece, 0, count);
    } catch (IOException e) {
      throw notKept(String.valueOf(e.getMessage()));
    }
  }

  private static ApiException notKept(String reason) {
    return ApiException.of(
        ApiException.NO_ROOM,
        "storage_full",
        "The server cannot store this file: "
            + reason
            + ". Make room on its disk, then try again.");
  }

  /** Something small that every agent has. */
  private void storeCommon(Exchange exchange, BlobId blob) throws IOException {
    if (!agentFiles.isValid(exchange.identity())) {
      throw ApiException.of(401, "unauthorized", "The key of this agent is not valid.");
    }
    if (!blobs.has(blob)) {
      try (BlobUpload upload = blobs.upload(blob);
          InputStream content = content(exchange)) {
        upload.write(content.readNBytes(BandwidthNoise.BYTES), 0, BandwidthNoise.BYTES);
        upload.finish();
      } catch (BlobMismatchException | IndexOutOfBoundsException e) {
        throw ApiException.of(422, "hash_mismatch", "The content does not match " + blob + ".");
      }
    }
    exchange.json(201, new Stored(blob.sha256(), BandwidthNoise.BYTES));
  }

  /** For whom an agent stores something: it has to hold a task of theirs. */
  private String userOfTask(Exchange exchange) {
    String lease = exchange.header(AgentFiles.LEASE_HEADER).orElse("");
    return agentFiles
        .userOf(exchange.identity(), lease)
        .orElseThrow(
            () ->
                ApiException.of(
                    403,
                    "no_lease",
                    "An agent can store files only for a task that it holds, named in the"
                        + " header "
                        + AgentFiles.LEASE_HEADER
                        + "; it does not have '"
                        + SafeText.line(lease, 100)
                        + "'."));
  }

  /** The bytes of a blob, which may come compressed; its hash is that of the content itself. */
  private static InputStream content(Exchange exchange) throws IOException {
    String encoding = exchange.request().getHeader("Content-Encoding");
    if (encoding == null || encoding.equals("identity")) {
      return exchange.body();
    }
    if (encoding.equals("zstd")) {
      return new ZstdInputStream(exchange.body()).setLongMax(MAX_WINDOW_LOG);
    }
    throw ApiException.of(
        415, "unknown_encoding", "Content-Encoding is '" + encoding + "'; send zstd or none.", "");
  }

  private void head(Exchange exchange) throws IOException, InterruptedException {
    BlobId blob = visible(exchange);
    long size = BlobAnswers.requireSize(blobs, blob);
    if (exchange.identity().role() == Role.AGENT && asksForUser(exchange)) {
      files.brought(userOfTask(exchange), blob, size); // it stays the user's from now on
    }
    exchange
        .response()
        .putHeader("Content-Length", Long.toString(size))
        .putHeader("Accept-Ranges", "bytes")
        .putHeader("ETag", "\"" + blob + "\"");
    exchange.empty(200);
  }

  private void fetch(Exchange exchange) throws IOException {
    BlobId blob = visible(exchange);
    boolean askedFor =
        exchange.identity().role() == Role.AGENT
            && exchange.header("Range").isEmpty()
            && exchange.header("Accept-Encoding").orElse("").contains(BlobAnswers.ZSTD);
    if (askedFor && BlobAnswers.shrinks(blobs, blob)) {
      BlobAnswers.sendCompressed(exchange, blobs, blob);
    } else {
      BlobAnswers.send(exchange, blobs, blob);
    }
  }

  private BlobId visible(Exchange exchange) {
    BlobId blob = blobId(exchange.param("sha256"), "sha256");
    Identity caller = exchange.identity();
    if (caller.role() == Role.AGENT && !asksForUser(exchange)) {
      requireFetchable(caller, blob);
      return blob;
    }
    boolean visible =
        caller.role() == Role.AGENT
            ? files.has(userOfTask(exchange), blob)
            : files.has(caller, blob);
    if (!visible) {
      throw BlobAnswers.unknown(blob);
    }
    return blob;
  }

  /** An agent that names a task asks whether its user has a file, so as not to send it again. */
  private static boolean asksForUser(Exchange exchange) {
    return exchange.request().method().equals(HttpMethod.HEAD)
        && exchange.header(AgentFiles.LEASE_HEADER).isPresent();
  }

  /**
   * An agent may have lost its task for a while, such as by sleeping, so this does not say that the
   * file is not here; nor, to others, that it is.
   */
  private void requireFetchable(Identity agent, BlobId blob) {
    if (!agentFiles.mayFetch(agent, blob)) {
      throw ApiException.of(
          403,
          "no_lease",
          "An agent can fetch only files of tasks that it holds; none of them has blob "
              + blob
              + ".");
    }
  }
}
