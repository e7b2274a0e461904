package dev.imker.agent.internal.system;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The children of this process's first thread, to which orphans come. Asked at the end of every
 * task, so the file is kept open. Safe for use by several threads.
 */
public final class OwnChildren {
  private final int self;
  private @Nullable RandomAccessFile file;
  private byte[] buffer = new byte[4096];

  public OwnChildren(int self) {
    this.self = self;
  }

  public synchronized List<Integer> list() {
    try {
      RandomAccessFile open = file;
      if (open == null) {
        open = new RandomAccessFile("/proc/" + self + "/task/" + self + "/children", "r");
        file = open;
      }
      return numbers(fill(open));
    } catch (IOException e) {
      return List.of(); // not a system that tells
    }
  }

  private int fill(RandomAccessFile open) throws IOException {
    open.seek(0);
    int length = 0;
    for (int read = 0; read >= 0; read = open.read(buffer, length, buffer.length - length)) {
      length += read;
      if (length == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * length);
      }
    }
    return length;
  }

  /** Each is followed by a blank. */
  private List<Integer> numbers(int length) {
    List<Integer> found = new ArrayList<>();
    int number = 0;
    for (int i = 0; i < length; i++) {
      if (buffer[i] == ' ') {
        found.add(number);
        number = 0;
      } else {
        number = 10 * number + buffer[i] - '0';
      }
    }
    return found;
  }
}
