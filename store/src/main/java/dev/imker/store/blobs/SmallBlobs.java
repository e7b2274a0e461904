package dev.imker.store.blobs;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.BlobId;
import dev.imker.model.PrivateFolder;
import dev.imker.store.StoreBrokenException;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.SqlWork;
import dev.imker.store.sqlite.SqliteFile;
import dev.imker.store.sqlite.SqliteTransactions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Small blobs in a SQLite database of their own, next to the files of large ones: a file of six
 * bytes would take a disk block, a name in a folder and two flushes.
 *
 * <p>Uploads that end while a transaction is being written wait for the next one, so that many
 * share a flush. Touches are kept in memory and written with the next transaction: a crash only
 * loses the fact that somebody asked for a blob, and anybody who refers to it asks again.
 */
final class SmallBlobs implements BlobStore {
  static final String FILE_NAME = "small.db";

  private static final int PAGE = 1000;
  private static final int MAX_UNWRITTEN_TOUCHES = 20_000;
  private static final int MAX_KNOWN_SIZES = 20_000;
  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS small_blob (
        id INTEGER PRIMARY KEY,
        sha256 BLOB NOT NULL UNIQUE,
        touched_at INTEGER NOT NULL,
        content BLOB NOT NULL
      )
      """;
  private static final String KEEP =
      """
      INSERT INTO small_blob (sha256, touched_at, content) VALUES (:sha256, :touched_at, :content)
      ON CONFLICT (sha256) DO UPDATE SET touched_at = excluded.touched_at
      """;

  /** Content to be stored; the uploader waits. */
  private record Arrival(
      BlobId blob, byte[] content, long atMillis, CompletableFuture<Boolean> kept) {}

  private final SqliteFile file;
  private final ReadConnections connections;
  private final @Nullable SqliteTransactions writer;
  private final ConcurrentLinkedQueue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
  private final ExecutorService keeping =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("imker-files").factory());
  private final Map<BlobId, Long> touched = new ConcurrentHashMap<>();

  /** For requested blobs, including those that do not exist. */
  private final Map<BlobId, OptionalLong> sizes = new ConcurrentHashMap<>();

  /** Shared for touching, exclusive for deleting. */
  private final ReadWriteLock deletion = new ReentrantReadWriteLock();

  private SmallBlobs(SqliteFile file, @Nullable SqliteTransactions writer) {
    this.file = file;
    this.writer = writer;
    connections = new ReadConnections(file);
  }

  /** Opens the database in an existing folder; nobody else writes to it. */
  static SmallBlobs open(Path folder) {
    SqliteFile file = new SqliteFile(folder.resolve(FILE_NAME), 0);
    try {
      Connection connection = file.openWriter();
      PrivateFolder.closeFile(file.path());
      SqliteTransactions writer = new SqliteTransactions(file, connection);
      writer.transaction("be made", c -> Rows.update(c, TABLE));
      return new SmallBlobs(file, writer);
    } catch (SQLException e) {
      throw file.explain("be opened", e);
    } catch (IOException e) {
      throw FolderBlobs.failed("The database " + file.path() + " cannot be made private", e);
    }
  }

  /** Opens the database in a folder for reading, if there is one. */
  static Optional<SmallBlobs> openReadOnly(Path folder) {
    return Files.isRegularFile(folder.resolve(FILE_NAME))
        ? Optional.of(new SmallBlobs(new SqliteFile(folder.resolve(FILE_NAME), 0), null))
        : Optional.empty();
  }

  @Override
  public String title() {
    return file.path().toString();
  }

  @Override
  public boolean has(BlobId blob) {
    return size(blob).isPresent();
  }

  @Override
  public OptionalLong size(BlobId blob) {
    if (writer == null) { // then somebody else writes
      return read(blob);
    }
    if (sizes.size() > MAX_KNOWN_SIZES) {
      sizes.clear();
    }
    return sizes.computeIfAbsent(blob, this::read);
  }

  private OptionalLong read(BlobId blob) {
    String sql = "SELECT LENGTH(content) FROM small_blob WHERE sha256 = :sha256";
    return connections
        .read(c -> Rows.first(c, row -> row.getLong(1), sql, bind("sha256", key(blob))))
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  @Override
  public InputStream open(BlobId blob, long offset) {
    String sql = "SELECT content FROM small_blob WHERE sha256 = :sha256";
    byte[] content =
        connections
            .read(c -> Rows.first(c, row -> row.getBytes(1), sql, bind("sha256", key(blob))))
            .orElseThrow(() -> new BlobMissingException(blob));
    ByteArrayInputStream in = new ByteArrayInputStream(content);
    in.skip(offset);
    return in;
  }

  @Override
  public Optional<Path> path(BlobId blob) {
    return Optional.empty();
  }

  @Override
  public BlobUpload upload(BlobId expected) {
    return new GatheredUpload(expected, this::keep, SmallBlobs::tooLarge);
  }

  @Override
  public BlobUpload upload() {
    return new GatheredUpload(null, this::keep, SmallBlobs::tooLarge);
  }

  private static BlobUpload tooLarge() {
    throw new StoreException("A blob of this size has to be a file.");
  }

  /** Returns when the content is on disk. */
  void keep(BlobId blob, byte[] content) {
    Arrival own = new Arrival(blob, content, System.currentTimeMillis(), new CompletableFuture<>());
    arrivals.add(own);
    keeping.execute(this::keepArrivals);
    try {
      own.kept.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    }
  }

  /** Includes everything that arrived while the last transaction was written. */
  private void keepArrivals() {
    List<Arrival> batch = new ArrayList<>();
    for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
      batch.add(next);
    }
    if (batch.isEmpty()) {
      return;
    }
    try {
      write("keep files", c -> keepAll(c, batch));
      batch.forEach(arrival -> sizes.remove(arrival.blob));
      batch.forEach(arrival -> arrival.kept.complete(true));
    } catch (RuntimeException e) {
      batch.forEach(arrival -> arrival.kept.completeExceptionally(e));
    }
  }

  private Map<BlobId, Long> keepAll(Connection c, List<Arrival> batch) throws SQLException {
    Map<BlobId, Long> settled = new HashMap<>();
    for (Arrival arrival : batch) {
      Long touch = touched.get(arrival.blob);
      if (touch != null) {
        settled.put(arrival.blob, touch);
      }
      long at = touch == null ? arrival.atMillis : Math.max(touch, arrival.atMillis);
      Rows.update(
          c,
          KEEP,
          bind("sha256", key(arrival.blob)),
          bind("touched_at", at),
          bind("content", arrival.content));
    }
    return settled;
  }

  @Override
  public boolean touch(BlobId blob, long nowMillis) {
    deletion.readLock().lock();
    try {
      if (!has(blob)) {
        return false;
      }
      touched.put(blob, nowMillis);
    } finally {
      deletion.readLock().unlock();
    }
    if (touched.size() > MAX_UNWRITTEN_TOUCHES) {
      write("note who is needed", c -> Map.of());
    }
    return true;
  }

  /** Runs work, which returns touches that need not be written, and writes all others with it. */
  private void write(String doing, SqlWork<Map<BlobId, Long>> work) {
    Map<BlobId, Long> written = new HashMap<>();
    writer()
        .transaction(
            doing,
            c -> {
              Map<BlobId, Long> settled = work.run(c);
              written.putAll(touched);
              written.putAll(settled);
              for (Map.Entry<BlobId, Long> touch : written.entrySet()) {
                if (!touch.getValue().equals(settled.get(touch.getKey()))) {
                  Rows.update(
                      c,
                      "UPDATE small_blob SET touched_at = :touched_at WHERE sha256 = :sha256",
                      bind("touched_at", touch.getValue()),
                      bind("sha256", key(touch.getKey())));
                }
              }
              return true;
            });
    written.forEach(touched::remove);
  }

  @Override
  public Freed freeUntouched(Collection<BlobId> blobs, long beforeMillis, boolean dryRun) {
    Freed[] freed = {Freed.NOTHING};
    String which = " small_blob WHERE sha256 = :sha256 AND touched_at < :before";
    String sql =
        dryRun
            ? "SELECT LENGTH(content) FROM" + which
            : "DELETE FROM" + which + " RETURNING LENGTH(content)";
    deletion.writeLock().lock();
    try {
      write("note who is needed", c -> Map.of());
      writer()
          .transaction(
              "free files",
              c -> {
                for (BlobId blob : blobs) {
                  Rows.forEach(
                      c,
                      row -> freed[0] = freed[0].plus(row.getLong(1)),
                      sql,
                      bind("sha256", key(blob)),
                      bind("before", beforeMillis));
                }
                return true;
              });
    } finally {
      blobs.forEach(sizes::remove);
      deletion.writeLock().unlock();
    }
    return freed[0];
  }

  @Override
  public boolean delete(BlobId blob) {
    return freeUntouched(List.of(blob), Long.MAX_VALUE, false).blobs() > 0;
  }

  @Override
  public void forEach(Consumer<BlobId> action) {
    long last = 0;
    List<Row> page;
    do {
      long after = last;
      page =
          connections.read(
              c ->
                  Rows.list(
                      c,
                      row -> new Row(row.getLong(1), blob(row.getBytes(2))),
                      "SELECT id, sha256 FROM small_blob WHERE id > :after ORDER BY id LIMIT"
                          + " :limit",
                      bind("after", after),
                      bind("limit", PAGE)));
      page.forEach(row -> action.accept(row.blob));
      last = page.isEmpty() ? last : page.getLast().id;
    } while (page.size() == PAGE);
  }

  private record Row(long id, BlobId blob) {}

  @Override
  public CompletableFuture<StoreBrokenException> failure() {
    return writer().failure();
  }

  @Override
  public boolean shrink() {
    return writer().shrink();
  }

  private SqliteTransactions writer() {
    if (writer == null) {
      throw new StoreException("The files in " + file.path() + " are open read-only.");
    }
    return writer;
  }

  private static byte[] key(BlobId blob) {
    return HexFormat.of().parseHex(blob.sha256());
  }

  private static BlobId blob(byte[] key) {
    return new BlobId(HexFormat.of().formatHex(key));
  }

  @Override
  public void close() {
    keeping.close();
    try {
      if (writer != null) {
        write("note who is needed", c -> Map.of());
        connections.close();
        writer.close();
      } else {
        connections.close();
      }
    } catch (SQLException e) {
      throw new StoreException("The files could not be closed: " + e.getMessage(), e);
    }
  }
}
