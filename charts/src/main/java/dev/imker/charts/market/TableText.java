package dev.imker.charts.market;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.ExcelReaderException;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;

/** The text of a table with candles, whatever it is packed in. */
public final class TableText {
  /** What a file may come to when it is unpacked. */
  private static final int MAX_BYTES = 256 << 20;

  /** Times are fractions of days there, which are not exact. */
  private static final int HALF_SECOND = 500_000_000;

  private static final List<String> ENDINGS =
      List.of(".csv", ".txt", ".tsv", ".csv.gz", ".txt.gz", ".tsv.gz", ".xlsx");

  private final Path file;

  private TableText(Path file) {
    this.file = file;
  }

  /** Whether a file in a folder is taken for a table, by its name. */
  public static boolean isTable(String name) {
    return ENDINGS.stream().anyMatch(name.toLowerCase(Locale.ROOT)::endsWith);
  }

  /** The name of a file without what says how it is written. */
  public static String stem(String name) {
    String inner = name.toLowerCase(Locale.ROOT).endsWith(".gz") ? cut(name) : name;
    return cut(inner);
  }

  private static String cut(String name) {
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  static String of(Path file, byte[] content) {
    try {
      return new TableText(file).text(content);
    } catch (IOException | ExcelReaderException e) {
      throw new CsvFormatException(file, 1, "the file is damaged (" + e.getMessage() + ").");
    }
  }

  private String text(byte[] bytes) throws IOException {
    if (startsWith(bytes, 0x1f, 0x8b)) {
      try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
        byte[] unpacked = in.readNBytes(MAX_BYTES + 1);
        requireSize(unpacked.length);
        return text(unpacked);
      }
    }
    if (startsWith(bytes, 'P', 'K', 3, 4)) {
      return workbook(bytes);
    }
    if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
      throw problem("this is a spreadsheet in the old .xls format; save it as .xlsx or .csv.");
    }
    if (startsWith(bytes, 'P', 'A', 'R', '1')) {
      throw problem("this is a Parquet file; export it as .csv, .csv.gz or .xlsx.");
    }
    return withoutMark(decoded(bytes));
  }

  private static boolean startsWith(byte[] bytes, int... start) {
    return bytes.length >= start.length
        && IntStream.range(0, start.length).allMatch(i -> (bytes[i] & 0xff) == start[i]);
  }

  private CsvFormatException problem(String text) {
    return new CsvFormatException(file, 1, text);
  }

  private void requireSize(long bytes) {
    if (bytes > MAX_BYTES) {
      throw problem("it unpacks to more than %d MB.".formatted(MAX_BYTES >> 20));
    }
  }

  private static String withoutMark(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static String decoded(byte[] bytes) {
    if (startsWith(bytes, 0xff, 0xfe) || isEveryOtherByteZero(bytes, 1)) {
      return new String(bytes, StandardCharsets.UTF_16LE);
    }
    if (startsWith(bytes, 0xfe, 0xff) || isEveryOtherByteZero(bytes, 0)) {
      return new String(bytes, StandardCharsets.UTF_16BE);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      return new String(bytes, Charset.forName("windows-1252"));
    }
  }

  /** Digits and separators of UTF-16 are half zeros; a table in any other code has none. */
  private static boolean isEveryOtherByteZero(byte[] bytes, int from) {
    int looked = Math.min(bytes.length, 64);
    return looked >= 8
        && IntStream.range(0, looked).filter(i -> i % 2 == from).allMatch(i -> bytes[i] == 0);
  }

  /** The first sheet, a line for each row, with tabs between the cells. */
  private String workbook(byte[] bytes) throws IOException {
    requireSize(unpackedSize(bytes));
    StringBuilder text = new StringBuilder();
    try (ReadableWorkbook workbook =
            new ReadableWorkbook(new ByteArrayInputStream(bytes), new ReadingOptions(true, false));
        Stream<Row> rows = workbook.getFirstSheet().openStream()) {
      int[] line = {1};
      rows.forEach(
          row -> {
            for (; line[0] < row.getRowNum(); line[0]++) {
              text.append('\n'); // rows that are not there at all
            }
            text.append(row.stream().map(TableText::cell).collect(Collectors.joining("\t")));
          });
    }
    return text.toString();
  }

  /** Counted by unpacking, since what an archive says of its sizes may be wrong. */
  private static long unpackedSize(byte[] bytes) throws IOException {
    long size = 0;
    byte[] part = new byte[1 << 16];
    try (ZipFile zip = ZipFile.builder().setByteArray(bytes).get()) {
      for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
        try (InputStream in = zip.getInputStream(entry)) {
          for (int read = in.read(part); read > 0 && size <= MAX_BYTES; read = in.read(part)) {
            size += read;
          }
        }
      }
    }
    return size;
  }

  private static String cell(Cell cell) {
    if (cell == null) {
      return "";
    }
    if (cell.getType() == CellType.NUMBER && isDate(cell.getDataFormatString())) {
      LocalDateTime moment = cell.asDate().plusNanos(HALF_SECOND).withNano(0);
      boolean ofDay = moment.toLocalTime().equals(LocalTime.MIDNIGHT);
      return moment.toLocalDate() + (ofDay ? "" : " " + moment.toLocalTime());
    }
    return cell.getText().replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
  }

  private static boolean isDate(String format) {
    return format != null
        && format.replaceAll("\\[[^\\]]*]|\"[^\"]*\"", "").matches("(?i).*[dy].*");
  }
}
