package dev.imker.server.internal.columns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Columns of a settled job in a file: a header, then starts, ends, attempts and states, one column
 * after the other. It is made anew from the database where it is missing or of another end of the
 * job, so it need not be forced to disk.
 */
final class ColumnFile implements TaskColumns {
  private static final long MAGIC = 0x696d6b6572636f31L; // "imkerco1"
  private static final int HEADER_BYTES = 32;
  private static final int BYTES_PER_TASK = 2 * Long.BYTES + Character.BYTES + 1;

  private final int tasks;
  private final LongBuffer started;
  private final LongBuffer ended;
  private final CharBuffer attempts;
  private final ByteBuffer states;

  private ColumnFile(ByteBuffer content, int tasks) {
    this.tasks = tasks;
    int at = HEADER_BYTES;
    started = content.slice(at, tasks * Long.BYTES).asLongBuffer();
    at += tasks * Long.BYTES;
    ended = content.slice(at, tasks * Long.BYTES).asLongBuffer();
    at += tasks * Long.BYTES;
    attempts = content.slice(at, tasks * Character.BYTES).asCharBuffer();
    at += tasks * Character.BYTES;
    states = content.slice(at, tasks);
  }

  /** Empty if there is none of this end of the job. */
  static Optional<ColumnFile> open(Path file, int tasks, long settledMillis) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != size(tasks)) {
        return Optional.empty();
      }
      ByteBuffer content = channel.map(MapMode.READ_ONLY, 0, channel.size());
      boolean fits =
          content.getLong(0) == MAGIC
              && content.getLong(8) == settledMillis
              && content.getLong(16) == tasks;
      return fits ? Optional.of(new ColumnFile(content, tasks)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Appears in its place when it is complete. */
  static void write(Path file, TaskColumns columns, long settledMillis) {
    int tasks = columns.tasks();
    Path half = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (FileChannel channel =
          FileChannel.open(
              half,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        ByteBuffer content = channel.map(MapMode.READ_WRITE, 0, size(tasks));
        content.putLong(0, MAGIC).putLong(8, settledMillis).putLong(16, tasks);
        new ColumnFile(content, tasks).fill(columns);
      }
      Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(int tasks) {
    return HEADER_BYTES + (long) tasks * BYTES_PER_TASK;
  }

  private void fill(TaskColumns from) {
    for (int i = 0; i < tasks; i++) {
      started.put(i, from.started(i));
      ended.put(i, from.ended(i));
      attempts.put(i, (char) from.attempts(i));
      states.put(i, from.state(i));
    }
  }

  @Override
  public int tasks() {
    return tasks;
  }

  @Override
  public byte state(int index) {
    return states.get(index);
  }

  @Override
  public long started(int index) {
    return started.get(index);
  }

  @Override
  public long ended(int index) {
    return ended.get(index);
  }

  @Override
  public int attempts(int index) {
    return attempts.get(index);
  }
}
