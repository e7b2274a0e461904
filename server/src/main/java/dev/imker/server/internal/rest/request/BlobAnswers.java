package dev.imker.server.internal.rest.request;

import dev.imker.model.BlobId;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Exchange;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/** Sends blobs, whole or in part, with constant memory. */
public final class BlobAnswers {
  private static final String BYTES = "application/octet-stream";
  private static final int PIECE_BYTES = 64 << 10;

  private BlobAnswers() {}

  public static long requireSize(BlobStore blobs, BlobId blob) {
    return blobs.size(blob).orElseThrow(() -> unknown(blob));
  }

  public static ApiException unknown(BlobId blob) {
    return ApiException.notFound("There is no blob " + blob + " here.");
  }

  public static void send(Exchange exchange, BlobStore blobs, BlobId blob) throws IOException {
    long size = requireSize(blobs, blob);
    exchange.response().putHeader("Accept-Ranges", "bytes").putHeader("ETag", "\"" + blob + "\"");
    Optional<ByteRange> range =
        exchange.header("Range").flatMap(header -> ByteRange.parse(header, size));
    if (range.isEmpty()) {
      send(exchange, blobs, blob, 200, 0, size);
      return;
    }
    ByteRange part = range.get();
    exchange
        .response()
        .putHeader("Content-Range", "bytes %d-%d/%d".formatted(part.first(), part.last(), size));
    send(exchange, blobs, blob, 206, part.first(), part.length());
  }

  private static void send(
      Exchange exchange, BlobStore blobs, BlobId blob, int status, long offset, long length)
      throws IOException {
    Optional<Path> file = blobs.path(blob);
    if (file.isPresent()) {
      exchange.file(status, BYTES, file.get(), offset, length);
      return;
    }
    exchange.startStream(status, BYTES);
    try (InputStream content = blobs.open(blob, offset)) {
      for (long left = length; left > 0; ) {
        byte[] piece = content.readNBytes((int) Math.min(PIECE_BYTES, left));
        exchange.write(piece);
        left -= piece.length;
      }
    }
    exchange.end();
  }
}
