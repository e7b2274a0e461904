package dev.imker.server.internal.drop.drive;

import com.google.api.client.http.FileContent;
import com.google.api.services.drive.model.File;
import dev.imker.server.internal.drop.place.FolderTree;
import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results on Drive: the files as they are, and all tables as sheets of one spreadsheet. They are
 * gathered on this machine and shown as a folder when all of them are there.
 */
final class DriveResults implements ResultTarget {
  private static final String UNFINISHED = " (being written)";
  private static final String BYTES = "application/octet-stream";

  private final DriveFiles files;
  private final DriveSheets sheets;
  private final String parent;
  private final String name;
  private final Path gathered;
  private final Map<String, Path> all = new LinkedHashMap<>();

  DriveResults(DriveFiles files, DriveSheets sheets, String parent, String name)
      throws IOException {
    this.files = files;
    this.sheets = sheets;
    this.parent = parent;
    this.name = name;
    this.gathered = Files.createTempDirectory("imker-drive");
  }

  @Override
  public void put(String path, InputStream content, boolean executable) throws IOException {
    Path file = gathered.resolve(Integer.toString(all.size()));
    Files.copy(content, file);
    all.put(path, file);
  }

  @Override
  public void finish() throws IOException {
    if (all.isEmpty()) {
      return;
    }
    trash(name + UNFINISHED);
    String folder = files.folder(parent, name + UNFINISHED);
    for (Map.Entry<String, Path> entry : all.entrySet()) {
      upload(folder, entry.getKey(), entry.getValue());
    }
    Map<String, Path> tables = tables();
    if (!tables.isEmpty()) {
      sheets.write(folder, name, tables);
    }
    trash(name);
    files.update(folder, new File().setName(name));
  }

  private void upload(String folder, String path, Path file) throws IOException {
    List<String> names = List.of(path.split("/", -1));
    String target = folder;
    for (String inner : names.subList(0, names.size() - 1)) {
      target = files.folder(target, inner);
    }
    String last = names.getLast();
    String guessed = URLConnection.guessContentTypeFromName(last);
    String type = guessed == null ? BYTES : guessed;
    files.create(target, last, type, new FileContent(type, file.toFile()));
  }

  private Map<String, Path> tables() {
    Map<String, Path> tables = new LinkedHashMap<>();
    all.forEach(
        (path, file) -> {
          if (path.endsWith(".csv") && path.indexOf('/') < 0) {
            tables.put(path.substring(0, path.length() - 4), file);
          }
        });
    return tables;
  }

  private void trash(String folder) throws IOException {
    for (File older : files.named(parent, folder)) {
      files.trash(older);
    }
  }

  @Override
  public void close() throws IOException {
    FolderTree.delete(gathered);
  }
}
