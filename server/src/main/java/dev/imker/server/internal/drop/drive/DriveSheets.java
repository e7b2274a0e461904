package dev.imker.server.internal.drop.drive;

import com.google.api.services.drive.model.File;
import com.google.api.services.sheets.v4.model.AddSheetRequest;
import com.google.api.services.sheets.v4.model.BatchUpdateSpreadsheetRequest;
import com.google.api.services.sheets.v4.model.BatchUpdateValuesRequest;
import com.google.api.services.sheets.v4.model.DeleteSheetRequest;
import com.google.api.services.sheets.v4.model.GridProperties;
import com.google.api.services.sheets.v4.model.Request;
import com.google.api.services.sheets.v4.model.SheetProperties;
import com.google.api.services.sheets.v4.model.ValueRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tables as sheets of a spreadsheet. */
record DriveSheets(GoogleServices services, DriveFiles files) {
  /** A spreadsheet on Drive has so many cells at most, and nobody reads more rows. */
  private static final int MAX_ROWS = 50_000;

  /**
   * Makes a spreadsheet.
   *
   * @param tables CSV files by the names of their sheets
   */
  void write(String folder, String name, Map<String, Path> tables) throws IOException {
    File spreadsheet = files.create(folder, name, DriveFiles.SHEET, null);
    List<Request> requests = new ArrayList<>();
    List<ValueRange> values = new ArrayList<>();
    int id = 1;
    for (Map.Entry<String, Path> table : tables.entrySet()) {
      List<List<Object>> rows = rows(table.getValue());
      requests.add(add(id++, table.getKey(), rows));
      values.add(
          new ValueRange()
              .setRange("'" + table.getKey().replace("'", "''") + "'!A1")
              .setValues(rows));
    }
    requests.add(new Request().setDeleteSheet(new DeleteSheetRequest().setSheetId(0)));
    services
        .sheets()
        .spreadsheets()
        .batchUpdate(spreadsheet.getId(), new BatchUpdateSpreadsheetRequest().setRequests(requests))
        .execute();
    services
        .sheets()
        .spreadsheets()
        .values()
        .batchUpdate(
            spreadsheet.getId(),
            new BatchUpdateValuesRequest().setValueInputOption("RAW").setData(values))
        .execute();
  }

  private static Request add(int id, String title, List<List<Object>> rows) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(1);
    return new Request()
        .setAddSheet(
            new AddSheetRequest()
                .setProperties(
                    new SheetProperties()
                        .setSheetId(id)
                        .setTitle(title)
                        .setGridProperties(
                            new GridProperties()
                                .setRowCount(Math.max(2, rows.size()))
                                .setColumnCount(Math.max(2, columns))
                                .setFrozenRowCount(1))));
  }

  private static List<List<Object>> rows(Path file) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (rows.size() < MAX_ROWS) {
        rows.add(cells(line));
      }
    }
    return rows;
  }

  private static List<Object> cells(String line) {
    List<Object> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.add(value(cell.toString()));
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(value(cell.toString()));
    return cells;
  }

  private static Object value(String text) {
    return text.matches("-?[0-9]+(\\.[0-9]+)?([eE]-?[0-9]+)?")
        ? (Object) Double.valueOf(text)
        : text;
  }
}
