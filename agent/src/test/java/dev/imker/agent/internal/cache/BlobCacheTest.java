package dev.imker.agent.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.BlobId;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // fields are set before each test
final class BlobCacheTest {
  private static final long LIMIT = 1_000_000;

  @TempDir Path folder;
  private final MemoryBlobs source = new MemoryBlobs();
  private BlobCache cache;

  @BeforeEach
  void open() throws IOException {
    cache = new BlobCache(folder.resolve("cache"), LIMIT, 1);
  }

  private static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31 + seed);
    }
    return bytes;
  }

  @Test
  void a_blob_is_fetched_once() throws Exception {
    BlobId blob = source.put("hello".getBytes(StandardCharsets.UTF_8));
    cache.copyTo(blob, folder.resolve("a"), source);
    cache.copyTo(blob, folder.resolve("b"), source);
    assertThat(folder.resolve("a")).hasContent("hello");
    assertThat(folder.resolve("b")).hasContent("hello");
    assertThat(source.offsets()).containsExactly(0L);
  }

  @Test
  @Attack("change a file of the agent's cache through a task's copy")
  void what_a_task_does_to_its_copy_does_not_reach_the_cache() throws Exception {
    BlobId blob = source.put("hello".getBytes(StandardCharsets.UTF_8));
    cache.copyTo(blob, folder.resolve("a"), source);
    Files.writeString(folder.resolve("a"), "spoilt");
    cache.copyTo(blob, folder.resolve("b"), source);
    assertThat(folder.resolve("b")).hasContent("hello");
  }

  @Test
  void what_was_begun_and_given_up_long_ago_is_removed() throws Exception {
    Path partial = folder.resolve("cache/partial");
    Path old = Files.writeString(partial.resolve("a".repeat(64)), "begun");
    Path young = Files.writeString(partial.resolve("b".repeat(64)), "begun");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(4))));
    cache = new BlobCache(folder.resolve("cache"), LIMIT, 1);
    assertThat(old).doesNotExist();
    assertThat(young).hasContent("begun");
  }

  @Test
  void a_link_shares_the_content_and_copies_nothing() throws Exception {
    BlobId blob = source.put(bytes(200_000, 3));
    cache.linkTo(blob, folder.resolve("a"), source);
    Path cached = cache.fetch(blob, source);
    assertThat(Files.getAttribute(folder.resolve("a"), "unix:ino"))
        .isEqualTo(Files.getAttribute(cached, "unix:ino"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cached)))
        .isEqualTo("r--r--r--");
  }

  @Test
  @Attack("change a file in the agent's cache")
  void a_cached_file_that_was_changed_is_fetched_again() throws Exception {
    byte[] content = bytes(200_000, 3);
    BlobId blob = source.put(content);
    cache.linkTo(blob, folder.resolve("a"), source);
    Files.setPosixFilePermissions(
        folder.resolve("a"), PosixFilePermissions.fromString("rw-------"));
    Files.writeString(folder.resolve("a"), "spoilt");
    cache.linkTo(blob, folder.resolve("b"), source);
    assertThat(folder.resolve("b")).hasBinaryContent(content);
    assertThat(source.offsets()).containsExactly(0L, 0L);
  }

  @Test
  void a_cached_file_whose_content_is_as_it_was_is_kept() throws Exception {
    BlobId blob = source.put(bytes(2000, 3));
    Path cached = cache.fetch(blob, source);
    Files.setLastModifiedTime(cached, FileTime.from(Instant.now()));
    assertThat(cache.fetch(blob, source)).isEqualTo(cached);
    assertThat(source.offsets()).containsExactly(0L);
  }

  @Test
  void a_broken_download_goes_on_where_it_broke() throws Exception {
    byte[] content = bytes(300_000, 1);
    BlobId blob = source.put(content);
    source.breakOnceAfter(200_000);
    assertThat(cache.fetch(blob, source)).hasBinaryContent(content);
    assertThat(source.offsets()).containsExactly(0L, 200_000L);
  }

  @Test
  @Attack("serve other content than asked for")
  void content_that_does_not_fit_its_name_is_refused() throws Exception {
    BlobId blob = source.put(bytes(1000, 1));
    source.replace(blob, bytes(1000, 2));
    assertThatThrownBy(() -> cache.fetch(blob, source))
        .isInstanceOfSatisfying(BlobException.class, e -> assertThat(e.isTemporary()).isTrue());
    assertThat(cache.has(blob)).isFalse();
  }

  @Test
  void a_blob_that_the_source_does_not_have_is_not_asked_for_again() {
    BlobId unknown = new BlobId("ab".repeat(32));
    assertThatThrownBy(() -> cache.fetch(unknown, source))
        .isInstanceOfSatisfying(BlobException.class, e -> assertThat(e.isTemporary()).isFalse());
    assertThat(source.offsets()).hasSize(1);
  }

  @Test
  void the_longest_unused_blobs_go_first() throws Exception {
    List<BlobId> blobs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      BlobId blob = source.put(bytes(100_000, i));
      blobs.add(blob);
      Path file = cache.fetch(blob, source);
      if (i == 0) {
        continue; // keeps the time of its download: used later than all others
      }
      Instant used = Instant.now().minusSeconds(7200 - i);
      BasicFileAttributeView times = Files.getFileAttributeView(file, BasicFileAttributeView.class);
      times.setTimes(null, FileTime.from(used), null);
    }
    assertThat(cache.has(blobs.get(0))).isTrue();
    assertThat(cache.has(blobs.get(1))).isFalse();
    assertThat(cache.has(blobs.get(11))).isTrue();
    assertThat(blobs.stream().filter(cache::has).count()).isBetween(9L, 11L);
  }

  @Test
  void agents_that_share_a_folder_fetch_a_blob_once() throws Exception {
    byte[] content = bytes(500_000, 9);
    BlobId blob = source.put(content);
    BlobCache other = new BlobCache(folder.resolve("cache"), LIMIT);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Path>> files = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        BlobCache used = i % 2 == 0 ? cache : other;
        files.add(threads.submit(() -> used.fetch(blob, source)));
      }
      for (Future<Path> file : files) {
        assertThat(file.get()).hasBinaryContent(content);
      }
    }
    assertThat(source.offsets()).containsExactly(0L);
  }
}
