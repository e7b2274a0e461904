package dev.imker.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.client.Wanted;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Planned jobs in a pool. */
class PoolPlannedTest extends PlannedContract {
  @TempDir static Path folder;
  private static TestPool pool;
  private static Imker imker;

  @BeforeAll
  static void start() {
    pool = TestPool.start(folder);
    imker = pool.connect();
  }

  @AfterAll
  static void stop() {
    imker.close();
    pool.close();
  }

  @Override
  Imker imker() {
    return imker;
  }

  @Test
  void a_library_that_was_uploaded_is_used_by_its_name() throws Exception {
    byte[] jar = jarOf("Chain");
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar));
    put("/api/v1/blobs/" + sha256, jar);
    String library =
        put("/api/v1/libraries/chain", ("{\"sha256\":\"" + sha256 + "\"}").getBytes(UTF_8));
    assertThat(library).contains("Chain$DoFirst");
    Wanted wanted =
        imker
            .planned("by-name")
            .withLibrary("chain")
            .has(new Chain.Plan(marks.toString(), 0))
            .wants(Chain.Third.class)
            .submit()
            .get(60, TimeUnit.SECONDS);
    assertThat(wanted.get(Chain.Third.class).value()).isEqualTo(3);
    assertThatThrownBy(() -> imker.planned("none").withLibrary("chain:7"))
        .hasMessageContaining("no task library chain:7");
  }

  private static byte[] jarOf(String prefix) throws Exception {
    Path classes =
        Path.of(Chain.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("dev/imker/testkit");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes);
        Stream<Path> files = Files.list(classes)) {
      for (Path file :
          files.filter(one -> one.getFileName().toString().startsWith(prefix)).sorted().toList()) {
        jar.putNextEntry(new JarEntry("dev/imker/testkit/" + file.getFileName()));
        jar.write(Files.readAllBytes(file));
        jar.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static String put(String path, byte[] body) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(pool.server().address().resolve(path))
                  .header("Authorization", "Bearer " + pool.server().adminToken())
                  .header(
                      "Content-Type",
                      path.contains("blobs") ? "application/octet-stream" : "application/json")
                  .PUT(HttpRequest.BodyPublishers.ofByteArray(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
