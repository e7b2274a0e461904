package dev.imker.jobfile.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * Files on disk, relative to a folder.
 *
 * @param confined whether only files inside the folder are found
 */
record FolderFiles(Path folder, boolean confined) implements JobFiles {
  private static final int MAX_FILES = 100_000;

  @Override
  public Optional<List<Found>> find(String pattern) throws IOException {
    try {
      String slashes = pattern.replace('\\', '/');
      Path exact = resolve(slashes);
      if (Files.isDirectory(exact)) {
        return Optional.of(tree(exact, rootOf(slashes, exact), name -> true));
      }
      if (Files.exists(exact)) {
        return Optional.of(List.of(found(exact, rootOf(slashes, exact), "")));
      }
      return Optional.of(Globs.isPattern(slashes) ? matching(slashes) : List.of());
    } catch (InvalidPathException e) {
      return Optional.of(Globs.isPattern(pattern) ? matching(pattern) : List.of());
    }
  }

  private List<Found> matching(String pattern) throws IOException {
    String start = Globs.folderOf(pattern);
    Path root = resolve(start);
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    String below =
        start.isEmpty() || start.equals("/")
            ? pattern.substring(start.length())
            : pattern.substring(start.length() + 1);
    try {
      return tree(root, start.isEmpty() ? "" : rootOf(start, root), Globs.matcher(below));
    } catch (PatternSyntaxException e) {
      throw new IOException("it is not a pattern: " + e.getDescription(), e);
    }
  }

  private List<Found> tree(Path root, String name, Predicate<String> wanted) throws IOException {
    List<Found> all = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile).sorted()::iterator) {
        String rest = slashed(root.relativize(path));
        if (wanted.test(rest)) {
          all.add(found(path, name, rest));
        }
        if (all.size() > MAX_FILES) {
          throw new IOException("it matches more than %,d files".formatted(MAX_FILES));
        }
      }
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
    return all;
  }

  private Found found(Path path, String root, String rest) throws IOException {
    refuseOutside(path);
    return new Found(path.toString(), root, rest, Files.size(path), Files.isExecutable(path));
  }

  @Override
  public Optional<byte[]> read(String path) throws IOException {
    Path file = resolve(path.replace('\\', '/'));
    if (!Files.isRegularFile(file)) {
      throw new IOException("there is no such file");
    }
    refuseOutside(file);
    if (Files.size(file) > FileText.MAX_BYTES) {
      throw new IOException("it is larger than %,d bytes".formatted(FileText.MAX_BYTES));
    }
    return Optional.of(Files.readAllBytes(file));
  }

  private Path resolve(String path) throws IOException {
    if (path.indexOf('\0') >= 0) {
      throw new IOException("no file has a matching name");
    }
    Path resolved = folder.resolve(path).normalize();
    if (confined && !resolved.startsWith(folder.normalize())) {
      throw new IOException("it is outside the folder of the job file");
    }
    return resolved;
  }

  /** A link inside the folder may lead out of it. */
  private void refuseOutside(Path path) throws IOException {
    if (confined && !path.toRealPath().startsWith(folder.toRealPath(new LinkOption[0]))) {
      throw new IOException("it is outside the folder of the job file");
    }
  }

  /** A path below the folder keeps its relative form; any other is known by its file name. */
  private static String rootOf(String text, Path resolved) {
    Path normal = Path.of(text).normalize();
    if (!normal.isAbsolute() && !normal.startsWith("..")) {
      return slashed(normal);
    }
    Path last = resolved.toAbsolutePath().getFileName();
    return last == null ? "" : last.toString();
  }

  private static String slashed(Path path) {
    return path.toString().replace('\\', '/');
  }
}
