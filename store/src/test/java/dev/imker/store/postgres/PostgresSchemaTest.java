package dev.imker.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.store.PostgresDatabases;
import dev.imker.store.StoreException;
import dev.imker.store.sqlite.SqliteSchema;
import dev.imker.testdb.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What may be wrong with a PostgreSQL database and its address. */
class PostgresSchemaTest {
  @Test
  void every_version_of_the_schema_exists_for_both_databases() {
    assertThat(migrations("postgresql")).isNotEmpty().isEqualTo(migrations("sqlite"));
  }

  private static List<String> migrations(String folder) {
    URL url =
        Objects.requireNonNull(SqliteSchema.class.getResource("/dev/imker/store/schema/" + folder));
    try (Stream<Path> files = Files.list(Path.of(url.toURI()))) {
      return files.map(file -> "" + file.getFileName()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void database_of_a_newer_version_is_left_alone() {
    String url = PostgresDatabases.fresh();
    TestPostgres.execute(
        url,
        "INSERT INTO schema_history (installed_rank, version, description, type, script,"
            + " installed_by, execution_time, success)"
            + " VALUES (99, '999', 'future', 'SQL', 'V999__future.sql', '', 0, true)");
    assertThatThrownBy(() -> PostgresStore.open(url))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("schema version 999")
        .hasMessageContaining("supports " + SqliteSchema.VERSION + " at most");
  }

  @Test
  void addresses_that_are_none_are_told_without_their_secrets() {
    for (String wrong : List.of("jdbc:mysql://x/y?password=pst", "postgres?password=pst", "")) {
      assertThatThrownBy(() -> PostgresStore.open(wrong))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("jdbc:postgresql://")
          .hasMessageNotContaining("pst");
    }
  }

  @Test
  void database_that_cannot_be_reached_is_named() {
    assertThatThrownBy(() -> PostgresStore.open("jdbc:postgresql://127.0.0.1:1/x?password=pst"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("jdbc:postgresql://127.0.0.1:1/x")
        .hasMessageNotContaining("pst");
  }
}
