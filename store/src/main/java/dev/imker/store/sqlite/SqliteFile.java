package dev.imker.store.sqlite;

import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Database;
import dev.imker.store.internal.rows.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.Pragma;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TempStore;
import org.sqlite.SQLiteDataSource;

/** Opens connections to one database file, set up for durable writing or for reading. */
public final class SqliteFile implements Database {
  private static final String PROTOCOL = "jdbc:sqlite:";
  private static final int BUSY_MILLIS = 10_000;
  private static final int WRITER_CACHE_KIB = 64 * 1024;
  private static final int CHECKPOINT_PAGES = 4000;
  private static final int MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;

  private final Path path;
  private final int maxPages;

  /** {@code maxPages} limits the size of the file; 0 leaves it to the disk. */
  public SqliteFile(Path path, int maxPages) {
    this.path = path;
    this.maxPages = maxPages;
  }

  public Path path() {
    return path;
  }

  /** A connection whose commits are on disk when they return. */
  public Connection openWriter() throws SQLException {
    makeShrinkable();
    return keeping(durable(), url());
  }

  /** Only an empty database can be switched to incremental release of space. */
  private void makeShrinkable() throws SQLException {
    if (path.toFile().length() > 0) {
      return;
    }
    try (Connection connection = new SQLiteConfig().createConnection(url())) {
      Rows.update(connection, "PRAGMA auto_vacuum = INCREMENTAL");
      Rows.update(connection, "VACUUM");
    }
  }

  @Override
  public StoreException explain(String doing, SQLException error) {
    return SqliteErrors.explain(path, doing, error);
  }

  @Override
  public Connection openReader() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    return keeping(config, isAtRest() ? PROTOCOL + path.toUri() + "?immutable=1" : url());
  }

  private static Connection keeping(SQLiteConfig config, String url) throws SQLException {
    config.setGetGeneratedKeys(false); // asked for after every INSERT, and left open, else
    return new KeepingConnection(url, url.substring(PROTOCOL.length()), config.toProperties());
  }

  /**
   * Whether nobody can write to it, as on a disk that is read-only: SQLite could not make the files
   * that it wants beside a database with a log even to read it, and needs none.
   */
  private boolean isAtRest() {
    return !Files.isWritable(path.resolveSibling("."))
        && !Files.exists(path.resolveSibling(path.getFileName() + "-wal"));
  }

  DataSource dataSource() {
    SQLiteDataSource source = new SQLiteDataSource(durable());
    source.setUrl(url());
    return source;
  }

  private SQLiteConfig durable() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setTempStore(TempStore.MEMORY);
    config.setPragma(Pragma.CACHE_SIZE, Integer.toString(-WRITER_CACHE_KIB));
    config.setPragma(Pragma.WAL_AUTOCHECKPOINT, Integer.toString(CHECKPOINT_PAGES));
    config.setJournalSizeLimit(MAX_IDLE_LOG_BYTES);
    if (maxPages > 0) {
      config.setMaxPageCount(maxPages);
    }
    return config;
  }

  private String url() {
    return PROTOCOL + path;
  }
}
