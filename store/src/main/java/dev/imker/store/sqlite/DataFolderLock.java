package dev.imker.store.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Prevents a second process, or a second store of this process, from using a data folder. The
 * operating system releases the lock when the process dies in any way; the text in the file only
 * serves the message.
 */
final class DataFolderLock implements AutoCloseable {
  /** After any text, because on some systems nobody else can read a locked region. */
  private static final long LOCKED_POSITION = 1L << 30;

  /** A file must not be opened twice in a process: closing one would free the lock of the other. */
  private static final Set<Path> HELD_HERE = new HashSet<>();

  private final Path folder;
  private final FileChannel channel;

  private DataFolderLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  static DataFolderLock take(Path dataFolder) throws IOException {
    Path folder = dataFolder.toRealPath();
    synchronized (HELD_HERE) {
      if (HELD_HERE.contains(folder)) {
        throw new FolderInUseException(folder, "this process (" + self() + ")");
      }
      DataFolderLock lock = new DataFolderLock(folder, open(folder));
      HELD_HERE.add(folder);
      return lock;
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (HELD_HERE) {
      channel.close();
      HELD_HERE.remove(folder);
    }
  }

  private static FileChannel open(Path folder) throws IOException {
    Path file = folder.resolve("lock");
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (channel.tryLock(LOCKED_POSITION, 1, false) == null) {
      channel.close();
      throw new FolderInUseException(folder, Files.readString(file).strip());
    }
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(self().getBytes(StandardCharsets.UTF_8)));
    return channel;
  }

  private static String self() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    return "process " + ProcessHandle.current().pid() + " on " + hostName() + " since " + now;
  }

  /** From local data: a network query takes seconds on some machines. */
  private static String hostName() {
    for (String variable : List.of("HOSTNAME", "COMPUTERNAME")) {
      String name = System.getenv(variable);
      if (name != null) {
        return name;
      }
    }
    try {
      return Files.readString(Path.of("/etc/hostname")).strip();
    } catch (IOException e) {
      return "an unnamed host";
    }
  }
}
