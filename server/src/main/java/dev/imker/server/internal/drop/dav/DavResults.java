package dev.imker.server.internal.drop.dav;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.imker.server.http.Json;
import dev.imker.server.internal.drop.place.DropNames;
import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Gathers results in a folder of this server, then moves them to their destination as a whole. As
 * on a disk, only a folder that still holds just what was written for the same file is replaced.
 */
final class DavResults implements ResultTarget {
  private static final String CONTENTS = ".imker-results";
  private static final int MAX_NAMES = 10_000;

  /**
   * What was written for a file.
   *
   * @param version of this format
   * @param source the file's path below the inbox
   * @param files what tells that they are as they were, by path
   */
  private record Contents(int version, String source, Map<String, String> files) {}

  private final DavFiles files;
  private final String fresh;
  private final String old;
  private final String folder;
  private final String source;
  private boolean any;

  /**
   * @param aside a folder of this server's alone
   * @param folder where folders of results are made
   * @param source the path of the job file below the inbox
   */
  DavResults(DavFiles files, String aside, String folder, String source) throws IOException {
    this.files = files;
    this.fresh = aside + "/results";
    this.old = aside + "/old";
    this.folder = folder;
    this.source = source;
    files.delete(fresh);
  }

  @Override
  public void put(String path, InputStream content, boolean executable) throws IOException {
    if (path.isEmpty() || path.startsWith("/") || ("/" + path + "/").contains("/../")) {
      throw new IOException("A result lies outside its folder: " + path);
    }
    Path whole = Files.createTempFile("imker-dav", ".part");
    try {
      Files.copy(content, whole, StandardCopyOption.REPLACE_EXISTING);
      files.write(fresh + "/" + path, whole);
    } finally {
      Files.deleteIfExists(whole);
    }
    any = true;
  }

  @Override
  public void finish() throws IOException {
    if (!any) {
      return;
    }
    putBackOld();
    Contents contents = new Contents(1, source, tags(fresh));
    files.write(fresh + "/" + CONTENTS, Json.MAPPER.writeValueAsBytes(contents));
    for (int i = 0; i < MAX_NAMES; i++) {
      if (placeAt(folder + "/" + DropNames.resultName(source, i))) {
        return;
      }
    }
    throw new IOException("There are too many folders named like " + source + " in " + folder);
  }

  private boolean placeAt(String target) throws IOException {
    if (files.move(fresh, target)) {
      return true;
    }
    if (!isOnlyOurs(target) || !files.move(target, old)) {
      return false;
    }
    if (!isOnlyOurs(old)) { // somebody added something in this moment
      files.move(old, target);
      return false;
    }
    boolean placed = files.move(fresh, target);
    files.delete(old);
    return placed;
  }

  /** A crash may have left the folder to be replaced aside. */
  private void putBackOld() throws IOException {
    Optional<DavEntry> left = files.stat(old);
    if (left.isEmpty()) {
      return;
    }
    if (isOnlyOurs(old)) {
      files.delete(old);
      return;
    }
    for (int i = 0; i < MAX_NAMES; i++) {
      if (files.move(old, folder + "/" + DropNames.resultName(source, i))) {
        return;
      }
    }
  }

  private boolean isOnlyOurs(String target) throws IOException {
    try {
      Contents contents =
          Json.MAPPER.readValue(files.read(target + "/" + CONTENTS), Contents.class);
      return source.equals(contents.source()) && tags(target).equals(contents.files());
    } catch (FileNotFoundException | JsonProcessingException e) {
      return false;
    }
  }

  private Map<String, String> tags(String of) throws IOException {
    Map<String, String> tags = new TreeMap<>();
    for (DavEntry entry : files.leaves(of)) {
      String path = entry.path().substring(of.length() + 1);
      if (!path.equals(CONTENTS)) {
        tags.put(path, entry.tag());
      }
    }
    return tags;
  }

  @Override
  public void close() throws IOException {
    files.delete(fresh);
  }
}
