package dev.imker.store.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderBlobsTest extends BlobStoreContract {
  private static final BlobId HELLO =
      new BlobId("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  private static final BlobId EMPTY =
      new BlobId("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

  @TempDir Path folder;
  private FolderBlobs blobs;

  @BeforeEach
  void open_folder() {
    blobs = FolderBlobs.open(folder);
  }

  @Test
  void blob_is_there_under_its_hash_once_finished() throws IOException {
    try (BlobUpload upload = blobs.upload(HELLO)) {
      upload.write(utf8("he"));
      upload.write('l');
      upload.write(utf8("xlo"), 1, 2);
      assertThat(upload.size()).isEqualTo(5);
      assertThat(blobs.has(HELLO)).isFalse();
      assertThat(upload.finish()).isEqualTo(HELLO);
    }
    assertThat(text(HELLO, 0)).isEqualTo("hello");
    assertThat(blobs.size(HELLO)).hasValue(5);
    assertThat(blobs.path(HELLO).orElseThrow()).hasContent("hello");
    assertThat(filesIn("incoming")).isEmpty();
  }

  @Test
  void hash_need_not_be_known_before() throws IOException {
    assertThat(put("hello")).isEqualTo(HELLO);
    assertThat(put("")).isEqualTo(EMPTY);
    assertThat(blobs.size(EMPTY)).hasValue(0);
  }

  @Test
  void reading_can_go_on_at_an_offset() throws IOException {
    put("hello");
    assertThat(text(HELLO, 3)).isEqualTo("lo");
    assertThat(text(HELLO, 99)).isEmpty();
  }

  @Test
  void wrong_content_is_refused_and_leaves_nothing() throws IOException {
    try (BlobUpload upload = blobs.upload(HELLO)) {
      upload.write(utf8("hellO"));
      assertThatThrownBy(upload::finish)
          .isInstanceOf(BlobMismatchException.class)
          .hasMessageContaining(HELLO.sha256())
          .hasMessageContaining("5 bytes");
    }
    assertThat(blobs.has(HELLO)).isFalse();
    assertThat(allFiles()).isEmpty();
  }

  @Test
  void upload_that_is_only_closed_leaves_nothing() throws IOException {
    try (BlobUpload upload = blobs.upload()) {
      upload.write(utf8("hello"));
    }
    assertThat(allFiles()).isEmpty();
  }

  @Test
  void missing_blob_is_named() {
    assertThat(blobs.has(HELLO)).isFalse();
    assertThat(blobs.size(HELLO)).isEmpty();
    assertThat(blobs.path(HELLO)).isEmpty();
    assertThat(blobs.delete(HELLO)).isFalse();
    assertThatThrownBy(() -> blobs.open(HELLO))
        .isInstanceOf(BlobMissingException.class)
        .hasMessageContaining(HELLO.sha256());
  }

  @Test
  void same_content_is_kept_once() throws IOException {
    put("hello");
    put("hello");
    assertThat(allFiles()).hasSize(1);
  }

  @Test
  void cut_off_blob_is_replaced_by_the_next_upload() throws IOException {
    put("hello");
    Files.writeString(blobs.path(HELLO).orElseThrow(), "hel");
    put("hello");
    assertThat(text(HELLO, 0)).isEqualTo("hello");
  }

  @Test
  void blobs_are_listed_and_deleted() throws IOException {
    put("hello");
    put("");
    assertThat(list()).containsExactlyInAnyOrder(HELLO, EMPTY);
    assertThat(blobs.delete(HELLO)).isTrue();
    assertThat(list()).containsExactly(EMPTY);
  }

  @Test
  void leftovers_of_a_crash_are_removed_at_the_next_start() throws IOException {
    put("hello");
    Files.writeString(folder.resolve("incoming/upload-123"), "half a fi");
    blobs = FolderBlobs.open(folder);
    assertThat(filesIn("incoming")).isEmpty();
    assertThat(list()).containsExactly(HELLO);
  }

  @Test
  void folder_that_cannot_be_used_is_named() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    assertThatThrownBy(() -> FolderBlobs.open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString());
  }

  @Override
  BlobStore blobs() {
    return blobs;
  }

  private BlobId put(String content) throws IOException {
    try (BlobUpload upload = blobs.upload()) {
      upload.write(utf8(content));
      return upload.finish();
    }
  }

  private String text(BlobId blob, long offset) throws IOException {
    try (InputStream in = blobs.open(blob, offset)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private List<Path> allFiles() throws IOException {
    return filesIn("");
  }

  private List<Path> filesIn(String subFolder) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve(subFolder))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
