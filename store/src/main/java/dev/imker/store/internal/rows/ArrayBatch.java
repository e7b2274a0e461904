package dev.imker.store.internal.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One statement for all changes together: each of its parameters is an array with the values of one
 * column, written {@code :name::type[]}. It returns the keys of the rows that it touched; no key
 * may come twice. Thousands of rows cost one round trip and one plan.
 */
final class ArrayBatch<C> extends Batch<C> {
  private static final Pattern PARAMETER = Pattern.compile(":(\\w+)::(\\w+)\\[]");

  private final Connection connection;
  private final PreparedStatement statement;
  private final NamedStatement.ParameterNames names;
  private final List<Column> columns = new ArrayList<>();
  private final Row row = new Row();
  private final Binder<C> binder;
  private final ToLongFunction<C> key;

  ArrayBatch(
      Connection connection, String sql, ToLongFunction<C> key, Binder<C> binder, Missed<C> missed)
      throws SQLException {
    super(missed);
    this.connection = connection;
    NamedSql named = NamedSql.of(sql);
    this.statement = connection.prepareStatement(named.sql());
    this.names = new NamedStatement.ParameterNames(named.names());
    this.key = key;
    this.binder = binder;
    Matcher parameters = PARAMETER.matcher(sql);
    while (parameters.find()) {
      columns.add(new Column(parameters.group(2)));
    }
  }

  @Override
  void append(C change) throws SQLException {
    binder.bind(row, change);
  }

  @Override
  List<C> execute(List<C> appended) throws SQLException {
    for (int i = 0; i < columns.size(); i++) {
      statement.setArray(
          i + 1, connection.createArrayOf(columns.get(i).type, columns.get(i).array()));
    }
    Set<Long> touched = new HashSet<>(2 * appended.size());
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        touched.add(rows.getLong(1));
      }
    }
    clear();
    return touched.size() == appended.size()
        ? List.of()
        : appended.stream().filter(change -> !touched.contains(key.applyAsLong(change))).toList();
  }

  @Override
  void clear() {
    columns.forEach(column -> column.values.clear());
  }

  private static final class Column {
    private final String type;
    private final List<@Nullable Object> values = new ArrayList<>();

    Column(String type) {
      this.type = type;
    }

    @Nullable Object[] array() {
      int size = values.size();
      return switch (type) {
        case "bigint" -> values.toArray(new Long[size]);
        case "integer" -> values.toArray(new Integer[size]);
        case "text" -> values.toArray(new String[size]);
        case "bytea" -> values.toArray(new byte[size][]);
        default -> throw new IllegalStateException("no arrays of " + type);
      };
    }
  }

  private final class Row implements RowSink {
    private void put(String name, @Nullable Object value) {
      columns.get(names.number(name) - 1).values.add(value);
    }

    @Override
    public void setInt(String name, int value) {
      put(name, value);
    }

    @Override
    public void setLong(String name, long value) {
      put(name, value);
    }

    @Override
    public void setString(String name, @Nullable String value) {
      put(name, value == null ? null : Rows.storable(value));
    }

    @Override
    public void setBytes(String name, byte @Nullable [] value) {
      put(name, value);
    }
  }
}
