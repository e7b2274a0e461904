package dev.imker.store.internal.rows;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.JobId;
import dev.imker.model.change.SettingPut;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Determines the table of a setting. Kinds with many entries, or that belong to another object of a
 * pool, have tables of their own, recognised by the prefix of their keys; the pool's own options
 * are in {@code setting}.
 */
public enum SettingTable {
  CHECKPOINT("checkpoint/", "task", "files"),
  TASK_LIMIT("tasks.limits.", "job", "limits"),
  NODE_TRUST("trust/", "node", "trust"),
  NODE_TERMS("node-terms/", "node", "terms"),
  AGENT_KEY("agent-key/", "agent", "entry"),
  JOIN_TOKEN("join-token/", "id", "token"),
  ENDED_SESSION("logged-out/", "cookie_hash", "expires_at"),
  JOB_SECRET("secret/", "name", "secret"),
  UNFINISHED_IMPORT("import/", "job", "epoch"),
  DATA_SET("dataset.", "name", "files"),
  DROP_FOLDER("drop.folder.", "number", "folder"),
  LIBRARY("library/", "name", "version"),
  POOL_RESOURCE("pool-resource/", "name", "amount"),
  USER_RETENTION("retention.user.", "pool_user", "rules"),
  SETTING("", "name", "value");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private final String prefix;
  private final String get;
  private final String list;
  private final String put;
  private final String putOnce;
  private final String delete;

  SettingTable(String prefix, String key, String value) {
    this.prefix = prefix;
    String table = name().toLowerCase(java.util.Locale.ROOT);
    get = "SELECT %s FROM %s WHERE %s = :key".formatted(value, table, key);
    list =
        "SELECT %s, %s FROM %s WHERE SUBSTR(%s, 1, LENGTH(:start)) = :start"
            .formatted(key, value, table, key);
    String insert =
        "INSERT INTO %s (%s, %s) VALUES (:key, :value) ON CONFLICT (%s) DO "
            .formatted(table, key, value, key);
    put = insert + "UPDATE SET %s = excluded.%s".formatted(value, value);
    putOnce = insert + "NOTHING";
    delete = "DELETE FROM %s WHERE %s = :key".formatted(table, key);
  }

  private static SettingTable of(String key) {
    for (SettingTable table : values()) {
      if (key.startsWith(table.prefix)) {
        return table; // the last one takes the rest
      }
    }
    throw new IllegalStateException(key);
  }

  /** The job whose task limits are stored in a setting, if any. */
  public static Optional<JobId> jobWithLimits(String key) {
    return of(key) == TASK_LIMIT && NUMBER.matcher(TASK_LIMIT.within(key)).matches()
        ? Optional.of(new JobId(Long.parseLong(TASK_LIMIT.within(key))))
        : Optional.empty();
  }

  private String within(String key) {
    return key.substring(prefix.length());
  }

  public static Optional<String> get(Connection c, String key) throws SQLException {
    SettingTable table = of(key);
    return Rows.first(c, row -> row.getString(1), table.get, bind("key", table.within(key)));
  }

  /** All settings with this prefix. */
  public static Map<String, String> list(Connection c, String start) throws SQLException {
    SettingTable table = of(start);
    String rest = table.within(start);
    Map<String, String> found = new TreeMap<>();
    Rows.forEach(
        c,
        row -> found.put(table.prefix + row.getString(1), row.getString(2)),
        table.list,
        bind("start", rest));
    return found;
  }

  /** A setting without a value is not stored. */
  public static int put(Connection c, SettingPut setting) throws SQLException {
    SettingTable table = of(setting.key());
    String key = table.within(setting.key());
    return setting.value().isEmpty()
        ? Rows.update(c, table.delete, bind("key", key))
        : Rows.update(c, table.put, bind("key", key), bind("value", setting.value()));
  }

  /** Writes a value unless there is one; returns the resulting value. */
  public static String putOnce(Connection c, String key, String value) throws SQLException {
    SettingTable table = of(key);
    Rows.update(c, table.putOnce, bind("key", table.within(key)), bind("value", value));
    return get(c, key).orElseThrow();
  }
}
