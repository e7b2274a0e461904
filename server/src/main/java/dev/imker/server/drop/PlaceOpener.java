package dev.imker.server.drop;

import dev.imker.model.ImkerException;
import java.nio.file.Path;

/** Opens drop folders. */
public interface PlaceOpener {
  /**
   * @param server tells this server from others that use the same folder
   * @throws ImkerException saying why it cannot be used
   */
  DropPlace open(DropFolders.Added added, String server);

  /** Folders of this machine. */
  PlaceOpener FOLDERS = (added, server) -> FolderPlace.open(Path.of(added.place()), server);
}
