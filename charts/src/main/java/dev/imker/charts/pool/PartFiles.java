package dev.imker.charts.pool;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.imker.charts.ChartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files that go from task to task, as CBOR: most of them are millions of figures, which as text
 * would take the last task longer than all the rest of it. Rows of numbers are strings of bytes in
 * it, the fewest words for the most figures.
 */
final class PartFiles {
  /** How their names end. */
  static final String ENDING = ".cbor";

  private static final ObjectMapper MAPPER =
      CBORMapper.builder().addModule(PackedNumbers.module()).build();

  private PartFiles() {}

  static void write(Path file, Object value) throws IOException {
    MAPPER.writeValue(file.toFile(), value);
  }

  static <T> T read(Path file, Class<T> type) throws IOException {
    try {
      return MAPPER.readValue(file.toFile(), type);
    } catch (JacksonException e) {
      throw new ChartException(
          "The part %s of the analysis cannot be read: %s"
              .formatted(file.getFileName(), e.getOriginalMessage()),
          e);
    }
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
