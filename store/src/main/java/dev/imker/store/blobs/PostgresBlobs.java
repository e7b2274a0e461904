package dev.imker.store.blobs;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Bind;
import dev.imker.store.internal.rows.Database;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.postgres.PostgresDatabase;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Blobs in PostgreSQL, for pools whose servers share no folder. A blob is a row that names a body,
 * and a body is rows of a megabyte each, so that no more than that is ever in memory. The row
 * appears when the whole body is there.
 */
public final class PostgresBlobs implements BlobStore {
  static final int CHUNK_BYTES = 1 << 20;
  private static final int PAGE = 1000;
  private static final long LEFTOVER_MILLIS = 24 * 3600 * 1000L;
  private static final String KEEP =
      """
      INSERT INTO blob (sha256, body, size, touched_at) VALUES (:sha256, :body, :size, :touched_at)
      ON CONFLICT (sha256) DO UPDATE SET touched_at = GREATEST(blob.touched_at, excluded.touched_at)
      RETURNING body
      """;
  private static final String KEEP_SMALL =
      """
      WITH body AS (SELECT nextval('blob_body') AS id),
        chunk AS (
          INSERT INTO blob_chunk (body, n, stored_at, data) SELECT id, 0, :now, :data FROM body)
      INSERT INTO blob (sha256, body, size, touched_at) SELECT :sha256, id, :size, :now FROM body
      ON CONFLICT (sha256) DO UPDATE SET touched_at = GREATEST(blob.touched_at, excluded.touched_at)
      """;

  private final String title;
  private final ReadConnections connections;

  private PostgresBlobs(PostgresDatabase database) {
    title = database.title();
    connections =
        new ReadConnections(
            new Database() {
              @Override
              public Connection openReader() throws SQLException {
                return database.openPlain();
              }

              @Override
              public StoreException explain(String doing, SQLException error) {
                return database.explain(doing, error);
              }

              @Override
              public boolean isGone(SQLException error) {
                return database.isGone(error);
              }
            });
  }

  /** Opens the blobs of a database that {@code PostgresStore} has brought up to date. */
  public static PostgresBlobs open(String url) {
    PostgresBlobs blobs = new PostgresBlobs(new PostgresDatabase(url));
    blobs.removeLeftovers(System.currentTimeMillis() - LEFTOVER_MILLIS);
    return blobs;
  }

  /** Removes bodies that never became a blob. */
  void removeLeftovers(long beforeMillis) {
    update(
        "DELETE FROM blob_chunk c WHERE stored_at < :before"
            + " AND NOT EXISTS (SELECT 1 FROM blob b WHERE b.body = c.body)",
        bind("before", beforeMillis));
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public boolean has(BlobId blob) {
    return size(blob).isPresent();
  }

  @Override
  public OptionalLong size(BlobId blob) {
    return number("SELECT size FROM blob WHERE sha256 = :sha256", bind("sha256", blob.sha256()));
  }

  @Override
  public BlobUpload upload(BlobId expected) {
    return new GatheredUpload(expected, this::keepSmall, () -> new ChunkUpload(this, expected));
  }

  @Override
  public BlobUpload upload() {
    return new GatheredUpload(null, this::keepSmall, () -> new ChunkUpload(this, null));
  }

  @Override
  public InputStream open(BlobId blob, long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("negative offset " + offset);
    }
    Content content = content(blob);
    if (content.object != null) {
      throw new StoreException(
          "Blob " + blob + " is in an S3-compatible store. Start the server with --blobs s3://…");
    }
    return new ChunkInput(this, blob, content.body, offset);
  }

  @Override
  public Optional<Path> path(BlobId blob) {
    return Optional.empty();
  }

  @Override
  public boolean touch(BlobId blob, long nowMillis) {
    String sql = "UPDATE blob SET touched_at = :touched_at WHERE sha256 = :sha256";
    return update(sql, bind("touched_at", nowMillis), bind("sha256", blob.sha256())) > 0;
  }

  @Override
  public Freed freeUntouched(Collection<BlobId> blobs, long beforeMillis, boolean dryRun) {
    return dryRun
        ? untouched(blobs, beforeMillis)
        : forgetAll(blobs, beforeMillis, this::removeBodies);
  }

  private Freed untouched(Collection<BlobId> blobs, long beforeMillis) {
    String sql =
        "SELECT body, size FROM blob WHERE sha256 = ANY (:hashes) AND touched_at < :before";
    return freed(
        connections.read(
            c ->
                Rows.list(
                    c, REMOVED, sql, bind("hashes", hashes(blobs)), bind("before", beforeMillis))));
  }

  /** Removes blobs that were not touched since; returns their bodies. */
  Freed forgetAll(Collection<BlobId> blobs, long beforeMillis, Consumer<List<Removed>> bodies) {
    String sql =
        "DELETE FROM blob WHERE sha256 = ANY (:hashes) AND touched_at < :before RETURNING body,"
            + " size";
    List<Removed> removed =
        connections.read(
            c ->
                Rows.list(
                    c, REMOVED, sql, bind("hashes", hashes(blobs)), bind("before", beforeMillis)));
    bodies.accept(removed);
    return freed(removed);
  }

  private static String[] hashes(Collection<BlobId> blobs) {
    return blobs.stream().map(BlobId::sha256).toArray(String[]::new);
  }

  private static Freed freed(List<Removed> removed) {
    return removed.stream().reduce(Freed.NOTHING, (sum, one) -> sum.plus(one.size), Freed::plus);
  }

  private void removeBodies(List<Removed> removed) {
    Long[] bodies = removed.stream().map(Removed::body).toArray(Long[]::new);
    update("DELETE FROM blob_chunk WHERE body = ANY (:bodies)", bind("bodies", bodies));
  }

  @Override
  public boolean delete(BlobId blob) {
    return freeUntouched(List.of(blob), Long.MAX_VALUE, false).blobs() > 0;
  }

  record Removed(long body, long size) {}

  private static final Rows.Mapper<Removed> REMOVED =
      row -> new Removed(row.getLong(1), row.getLong(2));

  @Override
  public void forEach(Consumer<BlobId> action) {
    String after = "";
    List<String> page;
    do {
      String last = after;
      page =
          connections.read(
              c ->
                  Rows.list(
                      c,
                      row -> row.getString(1),
                      "SELECT sha256 FROM blob WHERE sha256 > :after ORDER BY sha256 LIMIT :limit",
                      bind("after", last),
                      bind("limit", PAGE)));
      page.forEach(hash -> action.accept(new BlobId(hash)));
      after = page.isEmpty() ? after : page.getLast();
    } while (page.size() == PAGE);
  }

  // ---------------------------------------------------------------- bodies

  long newBody() {
    return number("SELECT nextval('blob_body')").orElseThrow();
  }

  void addChunk(long body, int n, byte[] data, long nowMillis) {
    update(
        "INSERT INTO blob_chunk (body, n, stored_at, data) VALUES (:body, :n, :stored_at, :data)"
            + " ON CONFLICT (body, n) DO NOTHING",
        bind("body", body),
        bind("n", n),
        bind("stored_at", nowMillis),
        bind("data", data));
  }

  byte @Nullable [] chunk(long body, int n) {
    String sql = "SELECT data FROM blob_chunk WHERE body = :body AND n = :n";
    return connections
        .read(c -> Rows.first(c, row -> row.getBytes(1), sql, bind("body", body), bind("n", n)))
        .orElse(null);
  }

  void removeBody(long body) {
    update("DELETE FROM blob_chunk WHERE body = :body", bind("body", body));
  }

  /** Stores content of at most one chunk with a single flush. */
  void keepSmall(BlobId blob, byte[] content) {
    long now = System.currentTimeMillis();
    if (!touch(blob, now)) {
      // If two do so concurrently, one leaves a body without a blob, which the next start removes.
      update(
          KEEP_SMALL,
          bind("now", now),
          bind("data", content),
          bind("sha256", blob.sha256()),
          bind("size", content.length));
    }
  }

  /** Turns a body into a blob; an existing blob keeps its body. */
  void keep(BlobId blob, long body, long size, long nowMillis) {
    if (!name(blob, body, size, nowMillis)) {
      removeBody(body);
    }
  }

  /** Turns a body into a blob; false if the blob already has another one. */
  boolean name(BlobId blob, long body, long size, long nowMillis) {
    return number(
                KEEP,
                bind("sha256", blob.sha256()),
                bind("body", body),
                bind("size", size),
                bind("touched_at", nowMillis))
            .orElseThrow()
        == body;
  }

  /**
   * The location of the content of a blob.
   *
   * @param object its name, if it is an object elsewhere
   */
  record Content(long body, long size, @Nullable String object) {}

  /** Throws {@link BlobMissingException}. */
  Content content(BlobId blob) {
    String sql =
        "SELECT b.body, b.size, o.name FROM blob b LEFT JOIN blob_object o ON o.body = b.body"
            + " WHERE b.sha256 = :sha256";
    return connections
        .read(
            c ->
                Rows.first(
                    c,
                    row -> new Content(row.getLong(1), row.getLong(2), row.getString(3)),
                    sql,
                    bind("sha256", blob.sha256())))
        .orElseThrow(() -> new BlobMissingException(blob));
  }

  // ---------------------------------------------------------------- bodies that are objects

  /** Records that a body is, or will be, an object elsewhere. */
  void addObject(long body, String name, long nowMillis) {
    update(
        "INSERT INTO blob_object (body, name, stored_at) VALUES (:body, :name, :stored_at)"
            + " ON CONFLICT (body) DO NOTHING",
        bind("body", body),
        bind("name", name),
        bind("stored_at", nowMillis));
  }

  /** The name of the object of a body. */
  Optional<String> object(long body) {
    String sql = "SELECT name FROM blob_object WHERE body = :body";
    return connections.read(c -> Rows.first(c, row -> row.getString(1), sql, bind("body", body)));
  }

  void removeObject(long body) {
    update("DELETE FROM blob_object WHERE body = :body", bind("body", body));
  }

  /** Passes on bodies of objects that belong to no blob and were recorded before the given time. */
  void forEachUnusedObject(long beforeMillis, LongConsumer action) {
    connections
        .read(
            c ->
                Rows.list(
                    c,
                    row -> row.getLong(1),
                    "SELECT body FROM blob_object o WHERE stored_at < :before"
                        + " AND NOT EXISTS (SELECT 1 FROM blob b WHERE b.body = o.body)",
                    bind("before", beforeMillis)))
        .forEach(action::accept);
  }

  private OptionalLong number(String sql, Bind... binds) {
    return connections
        .read(c -> Rows.first(c, row -> row.getLong(1), sql, binds))
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  private int update(String sql, Bind... binds) {
    return connections.read(c -> Rows.update(c, sql, binds));
  }

  @Override
  public void close() {
    try {
      connections.close();
    } catch (SQLException e) {
      throw new StoreException("The files could not be closed: " + e.getMessage(), e);
    }
  }
}
