package dev.imker.server.internal.drop.place;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
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

  void await(long millis) throws InterruptedException {
    if (service == null) {
      Thread.sleep(millis);
      return;
    }
    register(service);
    try {
      WatchKey key = service.poll(millis, TimeUnit.MILLISECONDS);
      while (key != null) {
        key.pollEvents();
        key.reset();
        key = service.poll();
      }
    } catch (ClosedWatchServiceException e) {
      throw new InterruptedException("closed");
    }
  }

  private void register(WatchService watcher) {
    for (Path folder : folders) {
      register(watcher, folder);
      try {
        FolderTree.entries(folder).stream()
            .filter(Files::isDirectory)
            .forEach(below -> register(watcher, below));
      } catch (IOException e) {
        LOG.debug("Cannot list {}", folder, e);
      }
    }
  }

  /** Registering again costs nothing. What cannot be watched is found by looking now and then. */
  private static void register(WatchService watcher, Path folder) {
    try {
      folder.register(
          watcher,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
    } catch (IOException | ClosedWatchServiceException e) {
      LOG.debug("Cannot watch {}", folder, e);
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
