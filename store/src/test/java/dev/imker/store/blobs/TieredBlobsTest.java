package dev.imker.store.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a pool: small blobs together in a database, large ones as files. */
class TieredBlobsTest extends BlobStoreContract {
  @TempDir Path folder;
  private BlobStore blobs;

  @BeforeEach
  void open() {
    blobs = TieredBlobs.open(folder);
  }

  @AfterEach
  void close() {
    blobs.close();
  }

  @Override
  BlobStore blobs() {
    return blobs;
  }

  @Test
  void small_blobs_are_no_files_of_their_own() throws IOException {
    List<BlobId> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(store(bytes(i)));
    }
    assertThat(files()).allMatch(name -> name.startsWith(SmallBlobs.FILE_NAME));
    BlobId large = store(bytes(GatheredUpload.MAX_BYTES + 1));
    assertThat(blobs.path(large)).isPresent();
    assertThat(blobs.path(all.getFirst())).isEmpty();
    blobs.close();
    blobs = TieredBlobs.open(folder);
    assertThat(list()).hasSize(101).containsAll(all).contains(large);
  }

  @Test
  void blobs_of_a_folder_of_files_only_are_found_and_go() throws IOException {
    byte[] content = bytes(10);
    BlobId blob;
    try (BlobUpload upload = FolderBlobs.open(folder).upload()) {
      upload.write(content);
      blob = upload.finish();
    }
    assertThat(read(blob, 0)).isEqualTo(content);
    assertThat(store(content)).isEqualTo(blob);
    blobs.touch(blob, 1000);
    assertThat(blobs.freeUntouched(List.of(blob), 2000, false).blobs()).isEqualTo(2);
    assertThat(blobs.has(blob)).isFalse();
  }

  @Test
  void touches_outlive_the_process() throws IOException {
    BlobId blob = store(bytes(10));
    blobs.touch(blob, 1000);
    blobs.close();
    blobs = TieredBlobs.open(folder);
    assertThat(blobs.freeUntouched(List.of(blob), 1000, false).blobs()).isZero();
    assertThat(blobs.freeUntouched(List.of(blob), 1001, false).blobs()).isEqualTo(1);
  }

  @Test
  void deleted_blobs_give_their_space_back_slice_by_slice() throws IOException {
    List<BlobId> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      all.add(store(bytes(10_000 + i)));
    }
    long before = diskBytes();
    all.forEach(blob -> blobs.touch(blob, 1));
    assertThat(blobs.freeUntouched(all, 2, false).blobs()).isEqualTo(300);
    int slices = 1;
    while (blobs.shrink()) {
      slices++;
    }
    blobs.close();
    assertThat(slices).isGreaterThan(3);
    assertThat(before).isGreaterThan(3_000_000);
    assertThat(diskBytes()).isLessThan(100_000);
    blobs = TieredBlobs.open(folder);
  }

  @Test
  void whoever_only_reads_sees_what_is_there_and_changes_nothing() throws IOException {
    BlobId small = store(bytes(5));
    BlobId large = store(bytes(GatheredUpload.MAX_BYTES + 5));
    try (BlobStore reader = TieredBlobs.openReadOnly(folder)) {
      assertThat(reader.has(small)).isTrue();
      assertThat(reader.size(large)).hasValue(GatheredUpload.MAX_BYTES + 5L);
      assertThatThrownBy(() -> reader.delete(small))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("read-only");
    }
    assertThat(list()).containsExactlyInAnyOrder(small, large);
  }

  @Test
  void a_folder_that_is_read_only_can_be_read() throws IOException {
    BlobId small = store(bytes(5));
    blobs.close();
    File database = folder.resolve(SmallBlobs.FILE_NAME).toFile();
    assertThat(database.setWritable(false) && folder.toFile().setWritable(false)).isTrue();
    try {
      assumeFalse(Files.isWritable(folder), "root may write everywhere");
      try (BlobStore reader = TieredBlobs.openReadOnly(folder)) {
        assertThat(reader.open(small, 0)).hasBinaryContent(bytes(5));
      }
    } finally {
      assertThat(folder.toFile().setWritable(true) && database.setWritable(true)).isTrue();
      blobs = TieredBlobs.open(folder);
    }
  }

  @Test
  void copies_take_what_is_missing_and_name_what_is_damaged(@TempDir Path other)
      throws IOException {
    for (int i = 0; i < 200; i++) {
      store(bytes(i));
    }
    BlobId large = store(bytes(GatheredUpload.MAX_BYTES + 1));
    BlobId damaged = store(bytes(GatheredUpload.MAX_BYTES + 2));
    Files.writeString(blobs.path(damaged).orElseThrow(), "?".repeat(GatheredUpload.MAX_BYTES + 2));
    try (BlobStore target = TieredBlobs.open(other)) {
      BlobCopy copy = new BlobCopy(blobs, target);
      copy.run();
      assertThat(copy.copied()).isEqualTo(201);
      assertThat(copy.damaged()).singleElement().asString().contains(damaged.sha256());
      assertThat(target.has(large)).isTrue();
      BlobCopy again = new BlobCopy(blobs, target);
      again.run();
      assertThat(again.copied()).isZero();
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(f -> "" + f.getFileName()).toList();
    }
  }

  private long diskBytes() throws IOException {
    long sum = 0;
    for (String name : files()) {
      sum += Files.size(folder.resolve(name));
    }
    return sum;
  }
}
