package dev.imker.cli.terminal;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A table in a file, with commas between its cells (RFC 4180). */
public final class CsvFile implements AutoCloseable {
  private final BufferedWriter out;

  public CsvFile(Path file) throws IOException {
    this.out = Files.newBufferedWriter(file);
  }

  public void row(List<String> cells) {
    try {
      out.write(String.join(",", cells.stream().map(CsvFile::quoted).toList()));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(String cell) {
    return cell.matches("(?s).*[\",\r\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
