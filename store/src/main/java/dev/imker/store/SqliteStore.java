package dev.imker.store;

import dev.imker.model.JobId;
import dev.imker.model.change.Change;
import dev.imker.model.change.SettingPut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The pool's state in one SQLite database in the data folder. */
public final class SqliteStore implements PoolStore {
  static final String FILE_NAME = "imker.db";
  private static final String LAST_JOB =
      "SELECT MAX(id) FROM (SELECT COALESCE(MAX(id), 0) AS id FROM job"
          + " UNION ALL SELECT last_job AS id FROM pool) jobs";

  private final DataFolderLock folderLock;
  private final SqliteWriter writer;
  private final ReadConnections readConnections;
  private final Reads reads;

  private SqliteStore(DataFolderLock folderLock, SqliteWriter writer, SqliteFile file) {
    this.folderLock = folderLock;
    this.writer = writer;
    this.readConnections = new ReadConnections(file);
    this.reads = new SqlReads(readConnections);
  }

  /**
   * Opens the store in a folder and creates both where they are missing. Until it is closed nobody
   * else can open it: {@link FolderInUseException}.
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
      Files.createDirectories(dataFolder);
      return DataFolderLock.take(dataFolder);
    } catch (IOException e) {
      throw new StoreException(
          "The data folder " + dataFolder + " cannot be used: " + FileErrors.reason(e), e);
    }
  }

  private static SqliteWriter openWriter(SqliteFile file) {
    try {
      Connection connection = file.openWriter();
      boolean ready = false;
      try {
        Schema.bringUpToDate(file, connection);
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
  public long beginEpoch() {
    return writer.transaction(
        "begin an epoch",
        c -> {
          Rows.update(c, "UPDATE pool SET epoch = epoch + 1");
          Rows.update(c, "UPDATE agent SET connected = 0 WHERE connected = 1");
          return one(c, "SELECT epoch FROM pool");
        });
  }

  @Override
  public long lastJobId() {
    return writer.transaction("be read", c -> one(c, LAST_JOB));
  }

  private static long one(Connection connection, String sql) throws SQLException {
    return Rows.first(connection, row -> row.getLong(1), sql).orElseThrow();
  }

  @Override
  public void commit(List<Change> changes) {
    if (!changes.isEmpty()) {
      writer.write(changes);
    }
  }

  @Override
  public void load(Recovery recovery) {
    writer.transaction(
        "be read",
        c -> {
          RecoveryScan scan = new RecoveryScan(c, recovery);
          scan.profiles();
          scan.openJobs();
          return true;
        });
  }

  @Override
  public boolean load(JobId job, Recovery recovery) {
    return writer.transaction("be read", c -> new RecoveryScan(c, recovery).job(job));
  }

  @Override
  public Reads reads() {
    return reads;
  }

  @Override
  public AccountReads accounts() {
    return new SqlAccounts(readConnections);
  }

  @Override
  public Journal journal() {
    return new SqlJournal(readConnections);
  }

  @Override
  public BoardReads board() {
    return new SqlBoard(readConnections);
  }

  @Override
  public NoticeReads notices() {
    return new SqlNotices(readConnections);
  }

  @Override
  public Map<String, String> settings(String prefix) {
    Map<String, String> found = new TreeMap<>();
    readConnections.read(
        c -> {
          Rows.forEach(
              c,
              row -> {
                if (row.getString(1).startsWith(prefix)) {
                  found.put(row.getString(1), row.getString(2));
                }
              },
              "SELECT name, value FROM setting");
          return found;
        });
    return found;
  }

  @Override
  public Optional<String> setting(String key) {
    String sql = "SELECT value FROM setting WHERE name = ?";
    return readConnections.read(c -> Rows.first(c, row -> row.getString(1), sql, key));
  }

  @Override
  public void putSetting(String key, String value) {
    SettingPut setting = new SettingPut(key, value);
    writer.transaction("write a setting", c -> ChangeWriter.put(c, setting));
  }

  @Override
  public void close() {
    try (folderLock;
        writer;
        readConnections) {
      // Closed in reverse order: the folder is free only after everything else.
    } catch (IOException | SQLException e) {
      throw new StoreException("The store could not be closed: " + e.getMessage(), e);
    }
  }

  private static void giveBack(DataFolderLock lock) {
    try {
      lock.close();
    } catch (IOException e) {
      throw new StoreException("The lock of the data folder could not be given back.", e);
    }
  }
}
