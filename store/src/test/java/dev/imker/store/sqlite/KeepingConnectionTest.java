package dev.imker.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.store.internal.rows.Bind;
import dev.imker.store.internal.rows.Rows;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeepingConnectionTest {
  private static final String SELECT = "SELECT n FROM numbers WHERE n >= ? ORDER BY n";
  private static final int MANY = 500;

  @TempDir Path folder;
  private Connection writer;
  private Connection reader;

  @BeforeEach
  void open() throws SQLException {
    SqliteFile file = new SqliteFile(folder.resolve("numbers.db"), 0);
    writer = file.openWriter();
    Rows.update(writer, "CREATE TABLE numbers (n INTEGER PRIMARY KEY)");
    for (int n = 1; n <= 3; n++) {
      add(n);
    }
    reader = file.openReader();
  }

  @AfterEach
  void close() throws SQLException {
    reader.close();
    writer.close();
  }

  private void add(int number) throws SQLException {
    Rows.update(writer, "INSERT INTO numbers (n) VALUES (:n)", Bind.bind("n", number));
  }

  private List<Integer> from(int least) throws SQLException {
    return Rows.list(
        reader,
        row -> row.getInt(1),
        "SELECT n FROM numbers WHERE n >= :n ORDER BY n",
        Bind.bind("n", least));
  }

  @Test
  void a_statement_that_was_closed_serves_again() throws SQLException {
    PreparedStatement first = reader.prepareStatement(SELECT);
    first.setInt(1, 2);
    first.close();
    try (PreparedStatement again = reader.prepareStatement(SELECT)) {
      assertThat(again).isSameAs(first);
      try (ResultSet rows = again.executeQuery()) { // with a value of its own: none
        assertThat(rows.next()).isFalse();
      }
    }
    assertThat(from(2)).containsExactly(2, 3);
    assertThat(from(3)).containsExactly(3);
  }

  @Test
  void two_that_are_used_at_a_time_are_two() throws SQLException {
    PreparedStatement first = reader.prepareStatement(SELECT);
    first.close();
    first.close(); // is nothing
    try (PreparedStatement one = reader.prepareStatement(SELECT);
        PreparedStatement other = reader.prepareStatement(SELECT)) {
      assertThat(one).isNotSameAs(other);
      one.setInt(1, 1);
      other.setInt(1, 3);
      try (ResultSet rows = one.executeQuery();
          ResultSet others = other.executeQuery()) {
        assertThat(rows.next() && others.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(1);
        assertThat(others.getInt(1)).isEqualTo(3);
      }
    }
  }

  @Test
  void one_that_was_read_in_part_does_not_hold_on_to_what_was_there() throws SQLException {
    PreparedStatement statement = reader.prepareStatement(SELECT);
    statement.setInt(1, 1);
    assertThat(statement.executeQuery().next()).isTrue();
    statement.close();
    add(4);
    assertThat(from(4)).containsExactly(4);
  }

  @Test
  void one_that_failed_serves_again() throws SQLException {
    assertThatThrownBy(() -> add(3)).isInstanceOf(SQLException.class);
    add(5);
    assertThat(from(5)).containsExactly(5);
  }

  @Test
  void none_that_is_kept_goes_on() throws SQLException {
    assertThat(from(1)).containsExactly(1, 2, 3);
    add(4);
    Rows.update(writer, "VACUUM"); // which wants to be alone
    assertThat(from(4)).containsExactly(4);
  }

  @Test
  void of_many_the_ones_used_last_are_kept() throws SQLException {
    PreparedStatement first = reader.prepareStatement(SELECT);
    first.close();
    for (int i = 0; i < MANY; i++) {
      reader.prepareStatement("SELECT " + i).close();
    }
    assertThat(first.isClosed()).isTrue();
    assertThat(from(3)).containsExactly(3);
  }
}
