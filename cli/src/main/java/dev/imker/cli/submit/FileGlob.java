package dev.imker.cli.submit;

import dev.imker.client.context.FileTrouble;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** Files that match a pattern such as {@code data/*.csv} or {@code data/**}{@code /*.csv}. */
final class FileGlob {
  private FileGlob() {}

  /** In the order of their names; at least one. */
  static List<Path> find(String pattern) {
    int glob = firstGlobSign(pattern);
    if (glob < 0) {
      return List.of(existing(pattern));
    }
    int slash = pattern.lastIndexOf('/', glob);
    Path folder = Path.of(slash < 0 ? "" : slash == 0 ? "/" : pattern.substring(0, slash));
    int depth = pattern.contains("**") ? Integer.MAX_VALUE : depth(pattern.substring(slash + 1));
    List<Path> found;
    try (Stream<Path> tree = Files.walk(folder, depth)) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      found = tree.filter(Files::isRegularFile).filter(matcher::matches).sorted().toList();
    } catch (IOException e) {
      throw new ImkerException("--each " + pattern + ": " + FileTrouble.inWords(e) + ".", e);
    } catch (PatternSyntaxException e) {
      throw new ImkerException("--each " + pattern + ": " + e.getDescription() + ".", e);
    }
    if (found.isEmpty()) {
      throw new ImkerException("--each " + pattern + ": no file matches.");
    }
    return found;
  }

  private static Path existing(String name) {
    if (!Files.isRegularFile(Path.of(name))) {
      throw new ImkerException("--each " + name + ": there is no such file.");
    }
    return Path.of(name);
  }

  private static int depth(String pattern) {
    return (int) pattern.chars().filter(c -> c == '/').count() + 1;
  }

  private static int firstGlobSign(String pattern) {
    for (int i = 0; i < pattern.length(); i++) {
      if ("*?[{".indexOf(pattern.charAt(i)) >= 0) {
        return i;
      }
    }
    return -1;
  }
}
