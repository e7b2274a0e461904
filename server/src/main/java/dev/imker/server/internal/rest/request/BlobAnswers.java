package dev.imker.server.internal.rest.request;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.imker.model.BlobId;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Exchange;
import dev.imker.store.blobs.BlobStore;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Sends blobs, whole or in part, with constant memory. */
public final class BlobAnswers {
  private static final String BYTES = "application/octet-stream";
  private static final int PIECE_BYTES = 64 << 10;
  private static final long WORTHWHILE_BYTES = 1 << 20;

  /** The encoding that agents can ask for. */
  public static final String ZSTD = "zstd";

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

  /** Whether a blob is long, and a sample from its middle shrinks by a tenth. */
  public static boolean shrinks(BlobStore blobs, BlobId blob) throws IOException {
    long size = requireSize(blobs, blob);
    if (size < WORTHWHILE_BYTES) {
      return false;
    }
    try (InputStream content = blobs.open(blob, (size - PIECE_BYTES) / 2)) {
      return Zstd.compress(content.readNBytes(PIECE_BYTES), 1).length < PIECE_BYTES * 9 / 10;
    }
  }

  /** Sends a whole blob, made shorter on the way. */
  public static void sendCompressed(Exchange exchange, BlobStore blobs, BlobId blob)
      throws IOException {
    exchange.response().putHeader(HttpHeaders.CONTENT_ENCODING, ZSTD);
    exchange.startStream(200, BYTES);
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int single) throws IOException {
            exchange.write(new byte[] {(byte) single});
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            exchange.write(Arrays.copyOfRange(bytes, offset, offset + length));
          }
        };
    try (InputStream content = blobs.open(blob, 0);
        ZstdOutputStream zstd = new ZstdOutputStream(out, 1)) {
      content.transferTo(zstd);
    }
    exchange.end();
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
