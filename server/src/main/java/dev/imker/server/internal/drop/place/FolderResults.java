package dev.imker.server.internal.drop.place;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.imker.server.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gathers results separately, then moves them to their destination as a whole.
 *
 * <p>Every folder of results lists what was written into it and for which file. Only a folder that
 * belongs to the same file and still holds just that is replaced by newer results; whatever else
 * lies there (a project's folder, another file's results, something a person added or changed)
 * stays, and the results go into a folder of the next free name.
 */
public final class FolderResults implements ResultTarget {
  /** Lists what Imker wrote into the folder it lies in. */
  public static final String CONTENTS = ".imker-results";

  private static final int MAX_NAMES = 10_000;

  /**
   * What was written for a file.
   *
   * @param version of this format
   * @param source the file's path below the inbox
   * @param files size and time of change in milliseconds, by path
   */
  private record Contents(int version, String source, Map<String, String> files) {}

  private final Path fresh;
  private final Path old;
  private final Path folder;
  private final String source;
  private boolean any;

  /**
   * @param aside a folder of this server's alone
   * @param folder where folders of results are made
   * @param source the path of the job file below the inbox
   */
  FolderResults(Path aside, Path folder, String source) throws IOException {
    this.fresh = aside.resolve("results");
    this.old = aside.resolve("old");
    this.folder = folder;
    this.source = source;
    FolderTree.delete(fresh);
    Files.createDirectories(fresh);
  }

  @Override
  public void put(String path, InputStream content, boolean executable) throws IOException {
    Path file = fresh.resolve(path).normalize();
    if (!file.startsWith(fresh) || file.equals(fresh) || file.equals(fresh.resolve(CONTENTS))) {
      throw new IOException("A result lies outside its folder: " + path);
    }
    Files.createDirectories(file.getParent());
    Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
    if (executable) {
      var _ = file.toFile().setExecutable(true);
    }
    any = true;
  }

  @Override
  public void finish() throws IOException {
    if (!any) {
      return;
    }
    Files.createDirectories(folder);
    putBackOld();
    Files.write(
        fresh.resolve(CONTENTS),
        Json.MAPPER.writeValueAsBytes(new Contents(1, source, stamps(fresh))));
    for (int i = 0; i < MAX_NAMES; i++) {
      if (placeAt(folder.resolve(DropNames.resultName(source, i)))) {
        return;
      }
    }
    throw new IOException(
        "There are too many folders named " + DropNames.name(source) + " in " + folder);
  }

  private boolean placeAt(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(fresh, target);
      return true;
    }
    if (!isOnlyOurs(target)) {
      return false;
    }
    Files.move(target, old);
    if (!isOnlyOurs(old)) { // somebody added something in this moment
      Files.move(old, target);
      return false;
    }
    Files.move(fresh, target);
    FolderTree.delete(old);
    return true;
  }

  /** A crash may have left the folder to be replaced aside. */
  private void putBackOld() throws IOException {
    if (!Files.exists(old, LinkOption.NOFOLLOW_LINKS) || isOnlyOurs(old)) {
      FolderTree.delete(old);
      return;
    }
    for (int i = 0; i < MAX_NAMES; i++) {
      Path target = folder.resolve(DropNames.resultName(source, i));
      if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        Files.move(old, target);
        return;
      }
    }
  }

  private boolean isOnlyOurs(Path target) throws IOException {
    Path list = target.resolve(CONTENTS);
    if (!Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)
        || !Files.isRegularFile(list, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try {
      Contents contents = Json.MAPPER.readValue(Files.readAllBytes(list), Contents.class);
      return source.equals(contents.source()) && stamps(target).equals(contents.files());
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  private static Map<String, String> stamps(Path folder) throws IOException {
    Map<String, String> stamps = new TreeMap<>();
    for (Path entry : FolderTree.leaves(folder)) {
      String path = folder.relativize(entry).toString().replace('\\', '/');
      if (!path.equals(CONTENTS)) {
        stamps.put(path, stamp(entry));
      }
    }
    return stamps;
  }

  private static String stamp(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return "no file"; // a link, or a folder that somebody made: never ours
    }
    return Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis();
  }

  @Override
  public void close() throws IOException {
    FolderTree.delete(fresh);
  }
}
