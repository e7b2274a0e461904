package dev.imker.server.drop;

import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes names of results unique, such as a file {@code stdout.txt} created by a task and its
 * output: the second gets a number.
 */
final class DistinctNames implements ResultTarget {
  private final ResultTarget target;
  private final Set<String> taken = new HashSet<>();

  DistinctNames(ResultTarget target) {
    this.target = target;
  }

  @Override
  public void put(String path, InputStream content, boolean executable) throws IOException {
    String free = path;
    for (int i = 2; !taken.add(free); i++) {
      free = numbered(path, i);
    }
    target.put(free, content, executable);
  }

  private static String numbered(String path, int number) {
    int dot = path.lastIndexOf('.');
    int end = dot > path.lastIndexOf('/') + 1 ? dot : path.length();
    return path.substring(0, end) + "-" + number + path.substring(end);
  }

  @Override
  public void finish() throws IOException {
    target.finish();
  }

  @Override
  public void close() throws IOException {
    target.close();
  }
}
