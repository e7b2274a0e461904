package dev.imker.charts.pool;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.imker.charts.ChartException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Files that go from task to task, as CBOR: most of them are millions of figures, which as text
 * would take the last task longer than all the rest of it. Tables of numbers are strings of bytes
 * in it that compress well; the file begins with its version, and the rest is compressed.
 */
final class PartFiles {
  /** How their names end. */
  static final String ENDING = ".cbor";

  /** "Imker parts", version 2. */
  private static final byte[] HEAD = {'I', 'P', 0, 2};

  private static final int BUFFER = 64 * 1024;
  private static final ObjectMapper MAPPER =
      CBORMapper.builder().addModule(PackedNumbers.module()).build();

  private PartFiles() {}

  static void write(Path file, Object value) throws IOException {
    Deflater quick = new Deflater(Deflater.BEST_SPEED);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      out.write(HEAD);
      DeflaterOutputStream packed = new DeflaterOutputStream(out, quick, BUFFER);
      MAPPER.writer().without(JsonGenerator.Feature.AUTO_CLOSE_TARGET).writeValue(packed, value);
      packed.finish();
    } finally {
      quick.end();
    }
  }

  static <T> T read(Path file, Class<T> type) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (bytes.length < HEAD.length || !Arrays.equals(HEAD, Arrays.copyOf(bytes, HEAD.length))) {
      throw unreadable(file, "it is not one, or of another version of Imker", null);
    }
    try (InputStream in =
        new InflaterInputStream(
            new ByteArrayInputStream(bytes, HEAD.length, bytes.length - HEAD.length))) {
      return MAPPER.readValue(
          in.readAllBytes(), type); // all of it, as its end says whether it is whole
    } catch (JacksonException e) {
      throw unreadable(file, e.getOriginalMessage(), e);
    } catch (EOFException | ZipException e) {
      throw unreadable(file, "it is cut off or damaged", e);
    }
  }

  private static ChartException unreadable(Path file, String why, @Nullable Throwable cause) {
    return new ChartException(
        "The part %s of the analysis cannot be read: %s".formatted(file.getFileName(), why), cause);
  }

  /** Those in a folder and below, by name; none if there is no such folder. */
  static List<Path> in(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    }
  }
}
