package dev.imker.store.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.store.StoreException;
import dev.imker.store.sqlite.SqliteFile;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadConnectionsTest {
  @TempDir Path folder;

  /** A database on a file that can be taken away, and counts who comes. */
  private static final class Leaving implements Database {
    private final SqliteFile file;
    private boolean away;
    private int asked;

    Leaving(Path path) throws SQLException {
      file = new SqliteFile(path, 0);
      try (Connection create = file.openWriter()) {
        create.setAutoCommit(true);
        Rows.update(create, "CREATE TABLE t(n INTEGER)");
      }
    }

    @Override
    public Connection openReader() throws SQLException {
      asked++;
      if (away) {
        throw new SQLNonTransientConnectionException("refused", "08001");
      }
      return file.openReader();
    }

    @Override
    public boolean isGone(SQLException error) {
      return error instanceof SQLNonTransientConnectionException;
    }

    @Override
    public StoreException explain(String doing, SQLException error) {
      return file.explain(doing, error);
    }

    int asked() {
      int count = asked;
      asked = 0;
      return count;
    }
  }

  @Test
  void whoever_asks_while_the_database_has_been_away_for_long_hears_so_at_once() throws Exception {
    Leaving database = new Leaving(folder.resolve("data.db"));
    ReadConnections reads = new ReadConnections(database, Duration.ofMillis(300));
    database.away = true;
    assertThatThrownBy(() -> read(reads)).isInstanceOf(StoreException.class);
    assertThat(database.asked()).as("the first one is patient").isGreaterThan(1);
    assertThatThrownBy(() -> read(reads)).isInstanceOf(StoreException.class);
    assertThat(database.asked()).as("the second one asks once").isEqualTo(1);

    database.away = false;
    assertThat(read(reads)).isZero();
    reads.close();
  }

  @Test
  void patience_begins_anew_once_the_database_was_there() throws Exception {
    Leaving database = new Leaving(folder.resolve("data.db"));
    ReadConnections reads = new ReadConnections(database, Duration.ofMillis(300));
    database.away = true;
    assertThatThrownBy(() -> read(reads)).isInstanceOf(StoreException.class);
    database.away = false;
    assertThat(read(reads)).isZero();
    database.asked();
    database.away = true;
    assertThatThrownBy(() -> reads.read(c -> lose())).isInstanceOf(StoreException.class);
    assertThat(database.asked()).isGreaterThan(1);
    reads.close();
  }

  private static long lose() throws SQLException {
    throw new SQLNonTransientConnectionException("lost", "08006");
  }

  private static long read(ReadConnections reads) {
    return reads.read(
        c -> Rows.first(c, row -> row.getLong("n"), "SELECT count(*) AS n FROM t").orElseThrow());
  }
}
