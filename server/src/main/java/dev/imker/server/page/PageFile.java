package dev.imker.server.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * A file of the page, ready to be sent.
 *
 * @param gzip the same compressed
 * @param tag changes with the content
 */
record PageFile(String type, byte[] content, byte[] gzip, String tag) {
  static PageFile of(String name, byte[] content) {
    CRC32C sum = new CRC32C();
    sum.update(content);
    String tag = "\"%08x-%x\"".formatted(sum.getValue(), content.length);
    return new PageFile(type(name), content, compress(content), tag);
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "png" -> "image/png";
      case "gif" -> "image/gif";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException("no type is known for " + name);
    };
  }

  String text() {
    return new String(content, StandardCharsets.UTF_8);
  }

  private static byte[] compress(byte[] content) {
    ByteArrayOutputStream result = new ByteArrayOutputStream(content.length / 3);
    try (GZIPOutputStream out = new BestGzip(result)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return result.toByteArray();
  }

  private static final class BestGzip extends GZIPOutputStream {
    BestGzip(ByteArrayOutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }
}
