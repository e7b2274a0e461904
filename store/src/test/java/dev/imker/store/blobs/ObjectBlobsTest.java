package dev.imker.store.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.BlobId;
import dev.imker.store.PostgresDatabases;
import dev.imker.store.StoreException;
import dev.imker.testdb.TestS3;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Files in a store that speaks S3, over a real one. */
class ObjectBlobsTest extends BlobStoreContract {
  /** The least that S3 takes as a part. */
  private static final int PART_BYTES = 5 << 20;

  private static final String BUCKET = "imker-files";

  @TempDir static Path objects;
  private static TestS3 s3;

  @TempDir Path spool;
  private final String database = PostgresDatabases.fresh();
  private final S3Place place = S3Place.parse("s3://" + BUCKET + "/" + System.nanoTime());

  /** Smaller content is in the database. */
  private static final int LARGE = GatheredUpload.MAX_BYTES + 100;

  private ObjectBlobs blobs;

  @BeforeAll
  static void start() {
    s3 = TestS3.start(objects, BUCKET);
  }

  @AfterAll
  static void stop() {
    s3.close();
  }

  @BeforeEach
  void open() {
    blobs = open(place.at(s3.endpoint()), TestS3.SECRET);
  }

  private ObjectBlobs open(S3Place where, String secret) {
    StaticCredentialsProvider who =
        StaticCredentialsProvider.create(AwsBasicCredentials.create(TestS3.KEY, secret));
    return ObjectBlobs.open(database, where, new S3Bucket(where, PART_BYTES, who), spool);
  }

  @AfterEach
  void close() {
    blobs.close();
  }

  @Override
  BlobStore blobs() {
    return blobs;
  }

  private List<Path> objects() throws IOException {
    Path folder = objects.resolve(BUCKET).resolve(place.prefix());
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void large_content_goes_in_parts() throws IOException {
    byte[] content = bytes(2 * PART_BYTES + 4711);
    BlobId blob = store(content);
    assertThat(read(blob, 0)).isEqualTo(content);
    assertThat(read(blob, 2 * PART_BYTES)).hasSize(4711);
  }

  @Test
  void content_that_is_gone_leaves_no_object_and_no_spool() throws IOException {
    BlobId blob = store(bytes(LARGE));
    store(bytes(LARGE));
    assertThat(objects()).hasSize(1);
    blobs.delete(blob);
    assertThat(objects()).isEmpty();
    assertThat(spool).isEmptyDirectory();
  }

  @Test
  void objects_that_never_became_a_blob_are_removed_and_others_stay() throws IOException {
    BlobId blob = store(bytes(LARGE));
    Path file = Files.write(spool.resolve("file"), bytes(10));
    try (PostgresBlobs ledger = PostgresBlobs.open(database)) {
      long body = ledger.newBody();
      String name = place.prefix() + "left-" + body;
      ledger.addObject(body, name, 1);
      StaticCredentialsProvider who =
          StaticCredentialsProvider.create(AwsBasicCredentials.create(TestS3.KEY, TestS3.SECRET));
      try (S3Bucket bucket = new S3Bucket(place.at(s3.endpoint()), PART_BYTES, who)) {
        bucket.put(name, file, 10);
      }
      assertThat(objects()).hasSize(2);
      blobs.removeLeftovers(Long.MAX_VALUE);
      assertThat(ledger.object(body)).isEmpty();
    }
    assertThat(objects()).hasSize(1);
    assertThat(read(blob, 0)).isEqualTo(bytes(LARGE));
  }

  @Test
  void blobs_from_before_are_read_from_the_database() throws IOException {
    byte[] content = bytes(LARGE);
    BlobId old;
    try (PostgresBlobs inDatabase = PostgresBlobs.open(database);
        BlobUpload upload = inDatabase.upload()) {
      upload.write(content);
      old = upload.finish();
    }
    assertThat(read(old, 100)).hasSize(LARGE - 100);
    assertThat(store(content)).isEqualTo(old);
    assertThat(objects()).isEmpty();
    assertThat(blobs.delete(old)).isTrue();
    assertThat(blobs.has(old)).isFalse();
  }

  @Test
  void small_content_needs_no_object() throws IOException {
    BlobId blob = store(bytes(100));
    assertThat(objects()).isEmpty();
    assertThat(read(blob, 0)).isEqualTo(bytes(100));
  }

  @Test
  void server_without_the_store_says_where_the_content_is() throws IOException {
    BlobId blob = store(bytes(LARGE));
    try (PostgresBlobs inDatabase = PostgresBlobs.open(database)) {
      assertThatThrownBy(() -> inDatabase.open(blob))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("--blobs s3://");
    }
  }

  @Test
  void damaged_content_is_noticed() throws IOException {
    BlobId blob = store(bytes(LARGE));
    Files.write(objects().getFirst(), bytes(LARGE + 1), java.nio.file.StandardOpenOption.CREATE);
    assertThatThrownBy(() -> read(blob, 0)).hasMessageContaining("damaged");
  }

  @Test
  void wrong_bucket_credentials_and_address_are_told_apart() {
    URI nobody = URI.create("http://127.0.0.1:1");
    S3Place wrong = S3Place.parse("s3://no-such-bucket").at(s3.endpoint());
    assertThatThrownBy(() -> open(wrong, TestS3.SECRET))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no bucket no-such-bucket");
    assertThatThrownBy(() -> open(place.at(s3.endpoint()), "wrong"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("AWS_ACCESS_KEY_ID")
        .hasMessageNotContaining("wrong");
    assertThatThrownBy(() -> open(place.at(nobody), TestS3.SECRET))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("does not answer")
        .hasMessageNotContaining(TestS3.SECRET);
  }

  @Test
  void addresses_are_read() {
    assertThat(S3Place.parse("s3://files").prefix()).isEmpty();
    assertThat(S3Place.parse("s3://files/a/b").prefix()).isEqualTo("a/b/");
    assertThat(S3Place.parse("s3://files/a/").prefix()).isEqualTo("a/");
    assertThatThrownBy(() -> S3Place.parse("s3://Files")).hasMessageContaining("s3://bucket");
    assertThatThrownBy(() -> S3Place.parse("s3:files")).isInstanceOf(StoreException.class);
  }
}
