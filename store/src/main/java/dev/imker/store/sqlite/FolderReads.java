package dev.imker.store.sqlite;

import dev.imker.store.BoardReads;
import dev.imker.store.Reads;
import dev.imker.store.StoreException;
import dev.imker.store.internal.read.SqlBoard;
import dev.imker.store.internal.read.SqlReads;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.SettingTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** Reads the data folder of a pool without changing it; the pool may be running. */
public final class FolderReads implements AutoCloseable {
  private final ReadConnections connections;
  private final Reads reads;

  private FolderReads(SqliteFile file) {
    connections = new ReadConnections(file);
    reads = new SqlReads(connections);
  }

  /**
   * @throws StoreException if there is no pool in the folder, or one of another version
   */
  public static FolderReads open(Path dataFolder) {
    Path database = dataFolder.resolve(SqliteStore.FILE_NAME);
    if (!Files.isRegularFile(database)) {
      throw new StoreException(
          "There is no pool in "
              + dataFolder
              + ": it has no "
              + SqliteStore.FILE_NAME
              + ". The data folder of a pool is $IMKER_HOME/data, by default ~/.imker/data.");
    }
    FolderReads opened = new FolderReads(new SqliteFile(database, 0));
    opened.connections.read(
        connection -> {
          SqliteSchema.requireCurrent(database, connection);
          return true;
        });
    return opened;
  }

  public Reads reads() {
    return reads;
  }

  public BoardReads board() {
    return new SqlBoard(connections);
  }

  /** The latest value of a setting. */
  public Optional<String> setting(String key) {
    return connections.read(c -> SettingTable.get(c, key));
  }

  /** All settings whose keys begin with a prefix. */
  public Map<String, String> settings(String prefix) {
    return connections.read(c -> SettingTable.list(c, prefix));
  }

  @Override
  public void close() {
    try {
      connections.close();
    } catch (SQLException e) {
      throw new StoreException("The database could not be closed: " + e.getMessage(), e);
    }
  }
}
