package dev.imker.charts.pool;

import dev.imker.charts.study.ChartJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Files of compressed JSON that go from task to task. */
final class PartFiles {
  private PartFiles() {}

  static void write(Path file, Object value) throws IOException {
    try (GZIPOutputStream out =
        new GZIPOutputStream(Files.newOutputStream(file)) {
          {
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      out.write(ChartJson.write(value).getBytes(StandardCharsets.UTF_8));
    }
  }

  static <T> T read(Path file, Class<T> type) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return ChartJson.read(new String(in.readAllBytes(), StandardCharsets.UTF_8), type);
    }
  }

  /** Those in a folder and below, by name; none if there is no such folder. */
  static List<Path> in(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".json.gz")).sorted().toList();
    }
  }
}
