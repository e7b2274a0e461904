package dev.imker.store.sql;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.JobId;
import dev.imker.model.change.Change;
import dev.imker.model.change.SettingPut;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedThing;
import dev.imker.store.AccountReads;
import dev.imker.store.BoardReads;
import dev.imker.store.DropReads;
import dev.imker.store.Journal;
import dev.imker.store.NoticeReads;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import dev.imker.store.RecoverySink;
import dev.imker.store.StoreException;
import dev.imker.store.internal.read.SqlAccounts;
import dev.imker.store.internal.read.SqlBoard;
import dev.imker.store.internal.read.SqlDrops;
import dev.imker.store.internal.read.SqlJournal;
import dev.imker.store.internal.read.SqlNotices;
import dev.imker.store.internal.read.SqlReads;
import dev.imker.store.internal.read.SqlShared;
import dev.imker.store.internal.rows.Database;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.SettingTable;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The pool's state in a relational database, whichever it is. */
public abstract class SqlStore implements PoolStore {
  private static final String LAST_JOB =
      "SELECT MAX(id) FROM (SELECT COALESCE(MAX(id), 0) AS id FROM job"
          + " UNION ALL SELECT last_job AS id FROM pool) jobs";

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Dialect dialect;
  private final Writer writer;
  private final ReadConnections readConnections;
  private final Reads reads;

  public SqlStore(Writer writer, Database database, Dialect dialect) {
    this.dialect = dialect;
    this.writer = writer;
    this.readConnections = new ReadConnections(database);
    this.reads = new SqlReads(readConnections);
  }

  @Override
  public long beginEpoch() {
    return writer.transaction("begin an epoch", List.of(), SqlStore::nextTerm).epoch();
  }

  /** Identifies a new leader. */
  public record Term(long epoch, long incarnation) {}

  public static Term nextTerm(Connection c) throws SQLException {
    long incarnation = drawIncarnation();
    Rows.update(
        c,
        "UPDATE pool SET epoch = epoch + 1, incarnation = :incarnation",
        bind("incarnation", incarnation));
    Rows.update(c, "INSERT INTO term (epoch, incarnation) SELECT epoch, incarnation FROM pool");
    Rows.update(c, "UPDATE agent SET connected = 0 WHERE connected = 1");
    return new Term(one(c, "SELECT epoch FROM pool"), incarnation);
  }

  /** Any number except 0, which means a leader of a version without incarnations. */
  private static long drawIncarnation() {
    long drawn = RANDOM.nextLong();
    return drawn == 0 ? 1 : drawn;
  }

  @Override
  public Map<Long, Long> incarnations() {
    return readConnections.read(
        c -> {
          Map<Long, Long> found = new HashMap<>();
          Rows.forEach(
              c,
              row -> found.put(row.getLong(1), row.getLong(2)),
              "SELECT epoch, incarnation FROM term");
          return found;
        });
  }

  @Override
  public long continueEpoch() {
    return beginEpoch();
  }

  @Override
  public long epoch() {
    return readConnections.read(c -> one(c, "SELECT epoch FROM pool"));
  }

  @Override
  public long lastJobId() {
    return readConnections.read(c -> one(c, LAST_JOB));
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
  public void load(RecoverySink recovery) {
    readConnections.readApart(
        c -> {
          RecoveryScan scan = new RecoveryScan(c, dialect, recovery);
          scan.profiles();
          scan.openJobs();
          return true;
        });
  }

  @Override
  public void loadShared(Consumer<SharedThing> things, Consumer<SharedEntry> entries) {
    readConnections.readApart(
        c -> {
          SqlShared.tell(c, things, entries);
          return true;
        });
  }

  @Override
  public boolean load(JobId job, RecoverySink recovery) {
    return readConnections.readOnce(c -> new RecoveryScan(c, dialect, recovery).job(job));
  }

  @Override
  public Map<JobId, Integer> removedJobs() {
    Map<JobId, Integer> jobs = new LinkedHashMap<>();
    return readConnections.read(
        c -> {
          jobs.clear();
          Rows.forEach(
              c,
              row -> jobs.put(new JobId(row.getLong(1)), row.getInt(2)),
              "SELECT id, task_count FROM removed_job ORDER BY id");
          return jobs;
        });
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
  public DropReads drops() {
    return new SqlDrops(readConnections);
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
    return readConnections.read(c -> SettingTable.list(c, prefix));
  }

  @Override
  public Optional<String> setting(String key) {
    return readConnections.read(c -> SettingTable.get(c, key));
  }

  @Override
  public void putSetting(String key, String value) {
    SettingPut setting = new SettingPut(key, value);
    writer.transaction("write a setting", List.of(setting), c -> SettingTable.put(c, setting));
  }

  @Override
  public String settingOnce(String key, String value) {
    List<Change> change = List.of(new SettingPut(key, value));
    return setting(key)
        .orElseGet(
            () ->
                writer.transaction(
                    "write a setting", change, c -> SettingTable.putOnce(c, key, value)));
  }

  @Override
  public void close() {
    try (writer;
        readConnections) {
      // Closed in reverse order.
    } catch (SQLException e) {
      throw new StoreException("The store could not be closed: " + e.getMessage(), e);
    }
  }
}
