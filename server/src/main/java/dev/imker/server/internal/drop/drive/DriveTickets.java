package dev.imker.server.internal.drop.drive;

import com.google.api.services.drive.model.File;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Tells which of several servers may take a file. Drive has no step that only one of many can do,
 * but it says when a file was made: each server makes a ticket for the file, waits until all can
 * see it, and the oldest ticket wins. One that comes late, however late, is not the oldest; and
 * whoever wins looks once more whether the file is free, before its ticket goes.
 */
final class DriveTickets {
  private static final String TYPE = "text/plain";
  private static final Comparator<File> OLDEST =
      Comparator.comparingLong((File ticket) -> ticket.getCreatedTime().getValue())
          .thenComparing(File::getId);

  private final DriveFiles files;
  private final String folder;
  private final String server;
  private final long visibleMillis;

  /**
   * @param folder where tickets are made
   * @param visibleMillis after how long everybody sees a ticket
   */
  DriveTickets(DriveFiles files, String folder, String server, long visibleMillis) {
    this.files = files;
    this.folder = folder;
    this.server = server;
    this.visibleMillis = visibleMillis;
  }

  /** What the winner does. */
  @FunctionalInterface
  interface Taking {
    boolean take() throws IOException;
  }

  /** Takes a file if no other server is about to. */
  boolean take(String file, Taking taking) throws IOException {
    files.create(folder, file, TYPE, null, Map.of(DrivePlace.SERVER, server));
    try {
      pause();
      List<File> all = files.named(folder, file);
      return !all.isEmpty()
          && DriveFiles.property(all.stream().min(OLDEST).orElseThrow(), DrivePlace.SERVER)
              .equals(server)
          && taking.take();
    } finally {
      for (File ticket : files.named(folder, file)) {
        if (DriveFiles.property(ticket, DrivePlace.SERVER).equals(server)) {
          files.trash(ticket);
        }
      }
    }
  }

  private void pause() throws IOException {
    try {
      Thread.sleep(visibleMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while claiming a file", e);
    }
  }

  /** Whether a file is a ticket. */
  boolean has(File file) {
    return DriveFiles.isIn(file, folder);
  }
}
