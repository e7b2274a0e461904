package dev.imker.store.internal.rows;

import static dev.imker.store.internal.rows.Bind.bind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class NamedSqlTest {
  @Test
  void values_follow_their_names_whatever_their_order() {
    NamedSql sql = NamedSql.of("UPDATE t SET a = :first_one, b = :b WHERE c < :first_one");
    assertThat(sql.sql()).isEqualTo("UPDATE t SET a = ?, b = ? WHERE c < ?");
    assertThat(sql.values(bind("b", 2), bind("first_one", 1))).containsExactly(1, 2, 1);
  }

  @Test
  void casts_and_literals_have_no_names() {
    NamedSql sql = NamedSql.of("SELECT unnest(:id::bigint[]), '{\"it\":''s :no $name}'::text");
    assertThat(sql.sql()).isEqualTo("SELECT unnest(?::bigint[]), '{\"it\":''s :no $name}'::text");
    assertThat(sql.names()).containsExactly("id");
  }

  @Test
  void every_name_needs_a_value_and_every_value_a_name() {
    NamedSql sql = NamedSql.of("DELETE FROM t WHERE a = :a");
    assertThatThrownBy(sql::values).hasMessageContaining("no value for :a in DELETE FROM t");
    assertThatThrownBy(() -> sql.values(bind("a", 1), bind("b", 2)))
        .hasMessageContaining("no :b in DELETE FROM t");
  }

  @Test
  void a_statement_takes_each_name_once_in_any_order() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      Rows.update(connection, "CREATE TABLE t (a INTEGER, b TEXT, c INTEGER)");
      String insert = "INSERT INTO t (a, b, c) VALUES (:a, :b, :a + 1)";
      try (NamedStatement row = new NamedStatement(connection, insert)) {
        row.setString("b", "first");
        row.setInt("a", 1);
        row.update();
        row.setLong("a", 7);
        row.setString("b", null);
        row.update();
        assertThatThrownBy(() -> row.setInt("c", 1)).hasMessage("no parameter :c");
      }
      assertThat(
              Rows.list(
                  connection,
                  row -> row.getInt(1) + " " + row.getString(2) + " " + row.getInt(3),
                  "SELECT a, b, c FROM t WHERE a >= :least ORDER BY a",
                  bind("least", 1)))
          .containsExactly("1 first 2", "7 null 8");
    }
  }
}
