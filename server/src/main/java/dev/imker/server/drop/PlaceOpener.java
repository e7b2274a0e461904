package dev.imker.server.drop;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.drive.DrivePlace;
import dev.imker.server.internal.drop.drive.GoogleRoots;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderPlace;
import java.nio.file.Path;

/** Opens drop folders. */
public interface PlaceOpener {
  /** Names a file with a key, as everywhere with Google. */
  String GOOGLE_KEY = "GOOGLE_APPLICATION_CREDENTIALS";

  /**
   * @param server tells this server from others that use the same folder
   * @throws ImkerException saying why it cannot be used
   */
  DropPlace open(DropFolders.Added added, String server);

  /** Folders of this machine, and of Google Drive. */
  PlaceOpener ALL =
      (added, server) ->
          added.place().startsWith(DrivePlace.PREFIX)
              ? onDrive(added, server)
              : FolderPlace.open(Path.of(added.place()), server);

  private static DropPlace onDrive(DropFolders.Added added, String server) {
    String key = added.key().isEmpty() ? System.getenv(GOOGLE_KEY) : added.key();
    if (key == null || key.isEmpty()) {
      throw new ImkerException(
          "Google Drive needs the key of a service account: add the folder with --key FILE, or set "
              + GOOGLE_KEY
              + ".");
    }
    return DrivePlace.open(
        added.place().substring(DrivePlace.PREFIX.length()),
        Path.of(key),
        server,
        GoogleRoots.GOOGLE,
        DrivePlace.Pace.USUAL);
  }
}
