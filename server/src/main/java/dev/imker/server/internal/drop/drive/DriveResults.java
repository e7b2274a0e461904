package dev.imker.server.internal.drop.drive;

import com.google.api.client.http.FileContent;
import com.google.api.services.drive.model.File;
import dev.imker.server.internal.drop.place.DropNames;
import dev.imker.server.internal.drop.place.FolderTree;
import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results on Drive: the files as they are, and all tables as sheets of one spreadsheet. They are
 * gathered on this machine and shown as a folder when all of them are there.
 */
final class DriveResults implements ResultTarget {
  private static final String UNFINISHED = " (being written)";
  private static final String SOURCE = "imkerResults";
  private static final int MAX_NAMES = 10_000;
  private static final int MAX_TRIES = 3;
  private static final String BYTES = "application/octet-stream";

  private final DriveFiles files;
  private final DriveSheets sheets;
  private final String parent;
  private final String source;
  private final String name;
  private final Path gathered;
  private final Map<String, Path> all = new LinkedHashMap<>();

  /**
   * @param parent where folders of results are made
   * @param source the path of the job file below the inbox
   */
  DriveResults(DriveFiles files, DriveSheets sheets, String parent, String source)
      throws IOException {
    this.files = files;
    this.sheets = sheets;
    this.parent = parent;
    this.source = source;
    this.name = DropNames.withoutExtension(DropNames.name(source));
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
    for (File older : files.named(parent, name + UNFINISHED)) {
      if (isOfSource(older)) {
        files.trash(older);
      }
    }
    File folder =
        files.create(parent, name + UNFINISHED, DriveFiles.FOLDER, null, Map.of(SOURCE, hash()));
    for (Map.Entry<String, Path> entry : all.entrySet()) {
      upload(folder.getId(), entry.getKey(), entry.getValue());
    }
    Map<String, Path> tables = tables();
    if (!tables.isEmpty()) {
      sheets.write(folder.getId(), name, tables);
    }
    files.update(folder.getId(), new File().setName(freeName()));
  }

  /**
   * The first name that nobody has, or only earlier results of the same file that nobody changed;
   * those go.
   */
  private String freeName() throws IOException {
    for (int i = 0; i < MAX_NAMES; i++) {
      String wanted = DropNames.resultName(source, i);
      List<File> present = files.named(parent, wanted);
      if (areReplaced(present)) {
        for (File older : present) {
          files.trash(older);
        }
        return wanted;
      }
    }
    throw new IOException("There are too many folders named " + name + " on Drive");
  }

  private boolean areReplaced(List<File> present) throws IOException {
    for (File older : present) {
      if (!isOfSource(older) || !files.holdsOnlyOurs(older.getId())) {
        return false;
      }
    }
    return true;
  }

  private boolean isOfSource(File folder) {
    return DriveFiles.property(folder, SOURCE).equals(hash()) && DriveFiles.isOurs(folder);
  }

  private void upload(String folder, String path, Path file) throws IOException {
    List<String> names = List.of(path.split("/", -1));
    String target = folder;
    for (String inner : names.subList(0, names.size() - 1)) {
      target = files.folder(target, inner);
    }
    put(target, names.getLast(), file);
  }

  /** An answer may get lost: then it is there already. */
  private void put(String folder, String name, Path file) throws IOException {
    String guessed = URLConnection.guessContentTypeFromName(name);
    String type = guessed == null ? BYTES : guessed;
    for (int tries = 1; ; tries++) {
      try {
        files.create(folder, name, type, new FileContent(type, file.toFile()));
        return;
      } catch (IOException e) {
        if (isThere(folder, name, file)) {
          return;
        }
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  private boolean isThere(String folder, String name, Path file) throws IOException {
    List<File> present = files.named(folder, name);
    String md5 = present.isEmpty() ? "" : md5(file);
    for (File found : present) {
      if (md5.equals(found.getMd5Checksum())) {
        return true;
      }
      files.trash(found); // half of it
    }
    return false;
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

  private String hash() {
    byte[] path = source.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(digest("SHA-256").digest(path));
  }

  /** What Drive tells of files. */
  private static String md5(Path file) throws IOException {
    MessageDigest digest = digest("MD5");
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + algorithm, e);
    }
  }

  @Override
  public void close() throws IOException {
    FolderTree.delete(gathered);
  }
}
