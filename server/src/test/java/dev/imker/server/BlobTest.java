package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.imker.testbase.Attack;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobTest {
  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void a_blob_comes_back_as_it_was_sent() {
    byte[] content = bytes("hello blob");
    String path = "/api/v1/blobs/" + Rest.sha256(content);
    assertThat(server.admin().get(path).status()).isEqualTo(404);
    assertThat(server.admin().put(path, content).status()).isEqualTo(201);
    assertThat(server.admin().put(path, content).status()).isEqualTo(200);
    assertThat(server.admin().get(path).body()).isEqualTo(content);
    Rest.Reply head = server.admin().method("HEAD", path);
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.headers().firstValue("Content-Length")).contains("10");
  }

  @Test
  void an_empty_blob_is_a_blob() {
    String path = "/api/v1/blobs/" + Rest.sha256(new byte[0]);
    assertThat(server.admin().put(path, new byte[0]).status()).isEqualTo(201);
    assertThat(server.admin().get(path).body()).isEmpty();
  }

  @Test
  @Attack("store content under the hash of other content")
  void content_with_another_hash_is_refused_and_not_kept() {
    String path = "/api/v1/blobs/" + Rest.sha256(bytes("expected"));
    Rest.Reply reply = server.admin().put(path, bytes("something else"));
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.errorCode()).isEqualTo("hash_mismatch");
    assertThat(server.admin().get(path).status()).isEqualTo(404);
  }

  @Test
  void a_part_of_a_blob_can_be_fetched() {
    Rest admin = server.admin();
    String path = "/api/v1/blobs/" + admin.upload(bytes("0123456789"));
    assertThat(part(path, "bytes=2-4").text()).isEqualTo("234");
    assertThat(part(path, "bytes=7-").text()).isEqualTo("789");
    assertThat(part(path, "bytes=-3").text()).isEqualTo("789");
    assertThat(part(path, "bytes=5-99").headers().firstValue("Content-Range"))
        .contains("bytes 5-9/10");
    assertThat(part(path, "bytes=2-4").status()).isEqualTo(206);
    assertThat(part(path, "bytes=10-").status()).isEqualTo(416);
    assertThat(part(path, "lines=1-2").status()).isEqualTo(200);
  }

  private static Rest.Reply part(String path, String range) {
    return server.admin().send(server.admin().request(path).header("Range", range));
  }

  @Test
  void missing_blobs_are_told_apart() {
    String here = server.admin().upload(bytes("here"));
    String away = Rest.sha256(bytes("away"));
    Rest.Reply reply =
        server
            .admin()
            .post("/api/v1/blobs/missing", "{\"blobs\":[\"%s\",\"%s\"]}".formatted(here, away));
    assertThat(reply.json().get("missing")).hasSize(1);
    assertThat(reply.json().at("/missing/0").asText()).isEqualTo(away);
  }

  @Test
  @Attack("name a file by a path instead of a hash")
  void a_name_that_is_no_hash_is_refused() {
    assertThat(server.admin().get("/api/v1/blobs/..%2f..%2fetc").status()).isEqualTo(400);
    assertThat(server.admin().put("/api/v1/blobs/abc", bytes("x")).errorField())
        .isEqualTo("sha256");
  }

  @Test
  void agents_get_long_files_compressed_that_shrink() throws Exception {
    byte[] text = "all work and no play\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);
    byte[] noise = new byte[text.length];
    new Random(1).nextBytes(noise);
    String large = server.admin().upload(text);
    String dense = server.admin().upload(noise);
    server
        .admin()
        .submit(
            "{\"command\":[\"x\"],\"inputs\":[%s,%s]}"
                .formatted(input("a", large), input("b", dense)));
    try (TestAgent agent = server.agent("downloading")) {
      agent.nextAssignment();
      Rest files = server.withToken(agent.nextWelcome().getBlobToken());
      Rest.Reply whole = fetch(files, large);
      assertThat(whole.headers().firstValue("Content-Encoding")).hasValue("zstd");
      assertThat(whole.body()).hasSizeLessThan(text.length / 10);
      assertThat(Zstd.decompress(whole.body(), text.length)).isEqualTo(text);
      assertThat(files.get("/api/v1/blobs/" + large).body()).isEqualTo(text);
      assertThat(fetch(files, dense).body()).isEqualTo(noise);
    }
  }

  private static String input(String path, String blob) {
    return "{\"path\":\"%s\",\"blob\":\"%s\",\"size\":2100000}".formatted(path, blob);
  }

  private static Rest.Reply fetch(Rest files, String blob) {
    return files.send(files.request("/api/v1/blobs/" + blob).header("Accept-Encoding", "zstd"));
  }

  @Test
  void a_blob_far_larger_than_the_memory_for_it_passes_both_ways() throws Exception {
    long size = 200L << 20;
    String sha256 = hashOf(new Pattern(size));
    Rest admin = server.admin();
    var upload =
        admin
            .request("/api/v1/blobs/" + sha256)
            .PUT(BodyPublishers.ofInputStream(() -> new Pattern(size)));
    assertThat(admin.send(upload).status()).isEqualTo(201);
    var download =
        Rest.CLIENT.send(
            admin.request("/api/v1/blobs/" + sha256).build(), BodyHandlers.ofInputStream());
    try (InputStream content = download.body()) {
      assertThat(hashOf(content)).isEqualTo(sha256);
    }
  }

  private static String hashOf(InputStream content) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (var counted = new DigestInputStream(content, digest)) {
      counted.transferTo(java.io.OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Bytes that need no memory. */
  private static final class Pattern extends InputStream {
    private long left;

    Pattern(long size) {
      left = size;
    }

    @Override
    public int read() {
      return left-- > 0 ? (int) (left & 0xff) : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (left <= 0) {
        return -1;
      }
      int count = (int) Math.min(length, left);
      for (int i = 0; i < count; i++) {
        target[offset + i] = (byte) (left - i);
      }
      left -= count;
      return count;
    }
  }
}
