package dev.imker.server.internal.drop.place;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for changes in folders and the folders right below them. Where the system does not tell of
 * changes, as on network shares, it simply waits.
 */
final class FolderWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

  private final List<Path> folders;
  private final @Nullable WatchService service;
  private final Set<WatchKey> watched = new HashSet<>();

  FolderWatch(List<Path> folders) {
    this.folders = folders;
    this.service = service(folders.getFirst());
  }

  private static @Nullable WatchService service(Path folder) {
    try {
      return folder.getFileSystem().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      LOG.info("{} cannot be watched, polling instead: {}", folder, e.getMessage());
      return null;
    }
  }

  /** Returns at once where a folder is watched only from now on: it may have changed before. */
  void await(long millis) throws InterruptedException {
    if (service == null) {
      Thread.sleep(millis);
      return;
    }
    if (register(service)) {
      return;
    }
    try {
      WatchKey key = service.poll(millis, TimeUnit.MILLISECONDS);
      while (key != null) {
        key.pollEvents();
        if (!key.reset()) {
          watched.remove(key); // the folder is gone
        }
        key = service.poll();
      }
    } catch (ClosedWatchServiceException e) {
      throw new InterruptedException("closed");
    }
  }

  /** Returns whether there was one that was not watched before. */
  private boolean register(WatchService watcher) {
    boolean fresh = false;
    for (Path folder : folders) {
      fresh |= register(watcher, folder);
      try {
        for (Path below : FolderTree.entries(folder)) {
          fresh |= Files.isDirectory(below) && register(watcher, below);
        }
      } catch (IOException e) {
        LOG.debug("Cannot list {}", folder, e);
      }
    }
    return fresh;
  }

  /** Registering again costs nothing. What cannot be watched is found by looking now and then. */
  private boolean register(WatchService watcher, Path folder) {
    try {
      return watched.add(
          folder.register(
              watcher,
              StandardWatchEventKinds.ENTRY_CREATE,
              StandardWatchEventKinds.ENTRY_MODIFY,
              StandardWatchEventKinds.ENTRY_DELETE));
    } catch (IOException | ClosedWatchServiceException e) {
      LOG.debug("Cannot watch {}", folder, e);
      return false;
    }
  }

  @Override
  public void close() {
    if (service != null) {
      try {
        service.close();
      } catch (IOException e) {
        LOG.debug("A file watch did not close", e);
      }
    }
  }
}
