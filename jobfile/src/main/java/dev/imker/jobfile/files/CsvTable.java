package dev.imker.jobfile.files;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table according to RFC 4180: fields that contain separators, quotes or line ends are quoted,
 * and quotes inside quotes are doubled. Blank lines are left out.
 *
 * @param rows with the line in which each begins
 */
public record CsvTable(List<String> header, List<Row> rows) {
  public record Row(int line, List<String> cells) {}

  /** A table that cannot be read. */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /**
   * @param separator null: determined from the header
   */
  public static CsvTable parse(String text, @Nullable Character separator)
      throws MalformedException {
    char between = separator == null ? separatorOf(text) : separator;
    List<Row> rows = new Scanner(text, between).rows();
    if (rows.isEmpty()) {
      throw new MalformedException("the table is empty");
    }
    List<String> header = rows.getFirst().cells().stream().map(String::strip).toList();
    List<Row> body = rows.subList(1, rows.size());
    for (Row row : body) {
      if (row.cells().size() != header.size()) {
        throw new MalformedException(
            "line %d has %d columns, the header has %d"
                .formatted(row.line(), row.cells().size(), header.size()));
      }
    }
    return new CsvTable(header, body);
  }

  private static char separatorOf(String text) {
    String first = text.lines().findFirst().orElse("");
    if (first.indexOf('\t') >= 0) {
      return '\t';
    }
    return first.indexOf(';') >= 0 && first.indexOf(',') < 0 ? ';' : ',';
  }

  private static final class Scanner {
    private final String text;
    private final char between;
    private int at;
    private int line = 1;

    Scanner(String text, char between) {
      this.text = text;
      this.between = between;
    }

    List<Row> rows() throws MalformedException {
      List<Row> rows = new ArrayList<>();
      while (at < text.length()) {
        int begin = line;
        List<String> cells = row();
        if (cells.size() > 1 || !cells.getFirst().isBlank()) {
          rows.add(new Row(begin, cells));
        }
      }
      return rows;
    }

    private List<String> row() throws MalformedException {
      List<String> cells = new ArrayList<>();
      while (true) {
        cells.add(at < text.length() && text.charAt(at) == '"' ? quoted() : plain());
        if (at < text.length() && text.charAt(at) == between) {
          at++;
          continue;
        }
        endLine();
        return cells;
      }
    }

    private void endLine() {
      if (at < text.length() && text.charAt(at) == '\r') {
        at++;
      }
      if (at < text.length() && text.charAt(at) == '\n') {
        at++;
      }
      line++;
    }

    private String plain() {
      int start = at;
      while (at < text.length() && text.charAt(at) != between && !isEnd(text.charAt(at))) {
        at++;
      }
      return text.substring(start, at);
    }

    private static boolean isEnd(char c) {
      return c == '\n' || c == '\r';
    }

    private String quoted() throws MalformedException {
      int begin = line;
      StringBuilder cell = new StringBuilder();
      at++;
      while (at < text.length()) {
        char c = text.charAt(at++);
        if (c != '"') {
          line += c == '\n' ? 1 : 0;
          cell.append(c);
        } else if (at < text.length() && text.charAt(at) == '"') {
          cell.append(text.charAt(at++));
        } else if (at < text.length() && text.charAt(at) != between && !isEnd(text.charAt(at))) {
          throw new MalformedException("line %d has text behind a closing quote".formatted(line));
        } else {
          return cell.toString();
        }
      }
      throw new MalformedException("the quote in line %d is never closed".formatted(begin));
    }
  }
}
