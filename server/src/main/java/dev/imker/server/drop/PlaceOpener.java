package dev.imker.server.drop;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.dav.DavPlace;
import dev.imker.server.internal.drop.drive.DrivePlace;
import dev.imker.server.internal.drop.drive.GoogleRoots;
import dev.imker.server.internal.drop.mail.MailPlace;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderPlace;
import java.nio.file.Path;
import java.util.List;

/** Opens drop folders. */
public interface PlaceOpener {
  /** Names a file with a key, as everywhere with Google. */
  String GOOGLE_KEY = "GOOGLE_APPLICATION_CREDENTIALS";

  /** Names a file that says who may use a mailbox. */
  String MAIL_KEY = "IMKER_MAIL_KEY";

  /** Names a file with a name and password for WebDAV. */
  String DAV_KEY = "IMKER_DAV_KEY";

  /**
   * @param server tells this server from others that use the same folder
   * @throws ImkerException saying why it cannot be used
   */
  DropPlace open(DropFolders.Added added, String server);

  /** Whether it is a folder that is there at once, or not at all. */
  static boolean isOfThisMachine(DropFolders.Added added) {
    return List.of(DrivePlace.PREFIX, MailPlace.PREFIX, DavPlace.PREFIX).stream()
        .noneMatch(added.place()::startsWith);
  }

  /** Folders of this machine, of Google Drive, of WebDAV servers, and mailboxes. */
  PlaceOpener ALL =
      (added, server) -> {
        if (added.place().startsWith(DrivePlace.PREFIX)) {
          return onDrive(added, server);
        }
        if (added.place().startsWith(MailPlace.PREFIX)) {
          return inMail(added);
        }
        return added.place().startsWith(DavPlace.PREFIX)
            ? onWebDav(added, server)
            : FolderPlace.open(Path.of(added.place()), server);
      };

  private static DropPlace inMail(DropFolders.Added added) {
    String key = added.key().isEmpty() ? System.getenv(MAIL_KEY) : added.key();
    if (key == null || key.isEmpty()) {
      throw new ImkerException(
          "A mailbox needs a file that says who may use it: pass it with --key FILE, or set "
              + MAIL_KEY
              + ". docs/drop-folder.md describes its content.");
    }
    return MailPlace.open(
        added.place().substring(MailPlace.PREFIX.length()), Path.of(key), MailPlace.Pace.USUAL);
  }

  private static DropPlace onWebDav(DropFolders.Added added, String server) {
    String key = added.key().isEmpty() ? System.getenv(DAV_KEY) : added.key();
    if (key == null || key.isEmpty()) {
      throw new ImkerException(
          "A WebDAV folder needs a name and a password: write NAME:PASSWORD to a file and"
              + " pass it with --key FILE, or set "
              + DAV_KEY
              + ".");
    }
    return DavPlace.open(
        added.place().substring(DavPlace.PREFIX.length()),
        Path.of(key),
        server,
        DavPlace.Pace.USUAL);
  }

  private static DropPlace onDrive(DropFolders.Added added, String server) {
    String key = added.key().isEmpty() ? System.getenv(GOOGLE_KEY) : added.key();
    if (key == null || key.isEmpty()) {
      throw new ImkerException(
          "Google Drive needs the key of a service account: pass it with --key FILE, or set "
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
