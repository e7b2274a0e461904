package dev.imker.agent.internal.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Named locks among all processes that use a folder. File locks belong to the whole Java process,
 * so an additional lock excludes other threads.
 */
final class FolderLocks {
  private static final Map<Path, ReentrantLock> IN_PROCESS = new ConcurrentHashMap<>();

  private final Path folder;

  /** A held lock; closing releases it. */
  interface Held extends AutoCloseable {
    @Override
    void close() throws IOException;
  }

  FolderLocks(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder).toRealPath();
  }

  Held hold(String name) throws IOException, InterruptedException {
    Path file = folder.resolve(name);
    ReentrantLock inProcess = IN_PROCESS.computeIfAbsent(file, _ -> new ReentrantLock());
    inProcess.lockInterruptibly();
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = lock(channel);
      return () -> {
        try (channel) {
          lock.release();
        } finally {
          inProcess.unlock();
        }
      };
    } catch (IOException | RuntimeException e) {
      inProcess.unlock();
      throw e;
    }
  }

  private static FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.lock();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }
}
