package dev.imker.store.sqlite;

import dev.imker.model.PrivateFolder;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.FileErrors;
import dev.imker.store.sql.SqlStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** The pool's state in one SQLite database in the data folder. */
public final class SqliteStore extends SqlStore {
  public static final String FILE_NAME = "imker.db";

  private final DataFolderLock folderLock;
  private final SqliteWriter writer;

  private SqliteStore(DataFolderLock folderLock, SqliteWriter writer, SqliteFile file) {
    super(writer, file, Dialect.SQLITE);
    this.writer = writer;
    this.folderLock = folderLock;
  }

  /**
   * Opens the store in a folder and creates both if missing. Until it is closed nobody else can
   * open it: {@link FolderInUseException}.
   */
  public static SqliteStore open(Path dataFolder) {
    return open(dataFolder, 0);
  }

  /** Opens with a limit of the database's size in pages, 0 for none. */
  static SqliteStore open(Path dataFolder, int maxPages) {
    DataFolderLock lock = takeFolder(dataFolder);
    boolean opened = false;
    try {
      SqliteFile file = new SqliteFile(dataFolder.resolve(FILE_NAME), maxPages);
      SqliteStore store = new SqliteStore(lock, openWriter(file), file);
      closeToOthers(file.path());
      opened = true;
      return store;
    } finally {
      if (!opened) {
        giveBack(lock);
      }
    }
  }

  private static DataFolderLock takeFolder(Path dataFolder) {
    try {
      PrivateFolder.create(dataFolder);
      return DataFolderLock.take(dataFolder);
    } catch (IOException e) {
      throw new StoreException(
          "The data folder " + dataFolder + " cannot be used: " + FileErrors.reason(e), e);
    }
  }

  /** The folder is closed already; this is for databases of versions that left both open. */
  private static void closeToOthers(Path database) {
    try {
      PrivateFolder.closeFile(database);
    } catch (IOException e) {
      throw new StoreException(
          "The database " + database + " cannot be made private: " + FileErrors.reason(e), e);
    }
  }

  private static SqliteWriter openWriter(SqliteFile file) {
    try {
      Connection connection = file.openWriter();
      boolean ready = false;
      try {
        SqliteSchema.bringUpToDate(file, connection);
        SqliteWriter writer = new SqliteWriter(file, connection);
        ready = true;
        return writer;
      } finally {
        if (!ready) {
          connection.close();
        }
      }
    } catch (SQLException e) {
      throw SqliteErrors.explain(file.path(), "be opened", e);
    }
  }

  @Override
  public boolean shrink() {
    return writer.shrink();
  }

  /** The folder is locked. */
  @Override
  public boolean hasOneWriter() {
    return true;
  }

  @Override
  public void close() {
    try (folderLock) {
      super.close(); // the folder is free only after everything else
    } catch (IOException e) {
      throw new StoreException("The store could not be closed: " + e.getMessage(), e);
    }
  }

  private static void giveBack(DataFolderLock lock) {
    try {
      lock.close();
    } catch (IOException e) {
      throw new StoreException("The lock of the data folder could not be released.", e);
    }
  }
}
