package dev.imker.store.sqlite;

import dev.imker.store.StoreException;
import java.nio.file.Path;

/** Another process is using the data folder. */
public final class FolderInUseException extends StoreException {
  private static final long serialVersionUID = 1L;

  public FolderInUseException(Path folder, String owner) {
    super(
        "The data folder "
            + folder
            + " is in use by "
            + owner
            + ". Stop it first, or choose another folder with --data.");
  }
}
