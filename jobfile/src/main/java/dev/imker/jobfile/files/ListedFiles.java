package dev.imker.jobfile.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;

/** Files known from a list, such as those of an upload. Sources are their paths. */
public final class ListedFiles implements JobFiles {
  /** A file in the list; the path is relative, with slashes. */
  public record Listed(String path, long size, boolean executable) {}

  /** Returns the content of a listed file; empty if it is not available here. */
  @FunctionalInterface
  public interface Contents {
    Optional<byte[]> of(String path) throws IOException;
  }

  private final TreeMap<String, Listed> files = new TreeMap<>();
  private final Contents contents;

  public ListedFiles(List<Listed> list, Contents contents) {
    list.forEach(file -> files.put(file.path(), file));
    this.contents = contents;
  }

  @Override
  public Optional<List<Found>> find(String pattern) throws IOException {
    Listed exact = files.get(pattern);
    if (exact != null) {
      return Optional.of(List.of(found(exact, pattern, "")));
    }
    List<Found> inside = below(pattern, rest -> true);
    if (!inside.isEmpty() || !Globs.isPattern(pattern)) {
      return Optional.of(inside);
    }
    String start = Globs.folderOf(pattern);
    try {
      String rest = start.isEmpty() ? pattern : pattern.substring(start.length() + 1);
      return Optional.of(below(start, Globs.matcher(rest)));
    } catch (PatternSyntaxException e) {
      throw new IOException("it is not a pattern: " + e.getDescription(), e);
    }
  }

  private List<Found> below(String folder, Predicate<String> wanted) {
    String prefix = folder.isEmpty() ? "" : folder + "/";
    List<Found> all = new ArrayList<>();
    for (Listed file : files.values()) {
      if (file.path().startsWith(prefix)) {
        String rest = file.path().substring(prefix.length());
        if (wanted.test(rest)) {
          all.add(found(file, folder, rest));
        }
      }
    }
    return all;
  }

  private static Found found(Listed file, String root, String rest) {
    return new Found(file.path(), root, rest, file.size(), file.executable());
  }

  @Override
  public Optional<byte[]> read(String path) throws IOException {
    if (!files.containsKey(path)) {
      throw new IOException("there is no such file");
    }
    return contents.of(path);
  }
}
