package dev.imker.store.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Properties;
import java.util.SequencedMap;
import org.sqlite.core.DB;
import org.sqlite.jdbc4.JDBC4Connection;
import org.sqlite.jdbc4.JDBC4PreparedStatement;

/**
 * A connection that caches prepared statements: preparing a short one takes as long as running it.
 * For one thread at a time.
 */
final class KeepingConnection extends JDBC4Connection {
  private static final int MAX_KEPT = 200;

  /** The currently unused statements, the most recently used at the end. */
  private final SequencedMap<String, Kept> idle = new LinkedHashMap<>();

  KeepingConnection(String url, String file, Properties settings) throws SQLException {
    super(url, file, settings);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holding)
      throws SQLException {
    checkOpen();
    checkCursor(type, concurrency, holding);
    Kept kept = idle.remove(sql);
    if (kept == null) {
      return new Kept(sql);
    }
    kept.used = true;
    return kept;
  }

  private void keep(String sql, Kept statement) throws SQLException {
    Kept other = idle.put(sql, statement);
    if (other != null) {
      other.end();
    } else if (idle.size() > MAX_KEPT) {
      idle.pollFirstEntry().getValue().end();
    }
  }

  /** Returned to the cache instead of being closed. */
  private final class Kept extends JDBC4PreparedStatement {
    private final String text;
    private boolean used = true;

    Kept(String text) throws SQLException {
      super(KeepingConnection.this, text);
      this.text = text;
    }

    @Override
    public void close() throws SQLException {
      if (!used) {
        return;
      }
      used = false;
      if (KeepingConnection.this.isClosed() || isClosed()) {
        end();
        return;
      }
      rs.close();
      pointer.safeRunInt(
          DB::reset); // one that is not, goes on reading what was there when it began
      clearParameters();
      clearBatch();
      keep(text, this);
    }

    private void end() throws SQLException {
      super.close();
    }
  }
}
