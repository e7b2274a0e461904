package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.model.job.LibrarySeal;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Java tasks on machines whose owners have terms. */
class OwnerTermsTest {
  private static final long PATIENCE_SECONDS = 120;

  @TempDir Path folder;

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void calls_in_a_sandbox_find_the_files_that_were_sent_along_and_no_others() throws Exception {
    assumeTrue(sandboxWorks(), "no sandbox on this system");
    Path small = Files.writeString(folder.resolve("small"), "sweet");
    Path large = Files.write(folder.resolve("large"), new byte[200_000]);
    ExecutorOptions options =
        ExecutorOptions.USUAL.withFiles(Map.of("small", small, "in/large", large));
    try (TestPool pool = TestPool.start(folder.resolve("pool"))) {
      pool.stopAgents();
      pool.addAgent("sandbox: on\n");
      try (Imker imker = pool.connect();
          ImkerExecutor executor = imker.executor(options)) {
        assertThat(get(executor.submit(Calls.contentOf("small")))).isEqualTo("sweet");
        assertThat(get(executor.submit(Calls.contentOf("in/large")))).hasSize(200_000);
        assertThat(get(executor.submit(Calls.sees(small.toString())))).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sandbox: off\nuser: same\n", "sandbox: auto\n"})
  void what_calls_write_counts_as_disk(String policy) throws Exception {
    try (TestPool pool = TestPool.start(folder.resolve("pool"))) {
      pool.stopAgents();
      pool.addAgent(policy + "task:\n  disk: 5 MB\n");
      try (Imker imker = pool.connect();
          ImkerExecutor executor = imker.executor()) {
        assertThatThrownBy(() -> get(executor.submit(Calls.filling(3))))
            .hasMessageContaining("Used more than 5 MB of disk (limit of the node's policy)");
        assertThat(get(executor.submit(Calls.product(2, 3)))).isEqualTo(6);
      }
    }
  }

  @Test
  void memory_of_hosts_is_part_of_what_the_owner_offers() throws Exception {
    try (TestPool pool = TestPool.start(folder.resolve("pool"))) {
      pool.stopAgents();
      pool.addAgent("sandbox: off\nuser: same\nmemory: 300 MB\n");
      try (Imker imker = pool.connect();
          ImkerExecutor executor = imker.executor()) {
        assertThat(get(executor.submit(Calls.hungryOnce(400)))).isGreaterThan(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sandbox: off\nuser: same\n", "sandbox: auto\n"})
  void a_call_runs_on_a_core_of_its_own(String policy) throws Exception {
    try (TestPool pool = TestPool.start(folder.resolve("pool"))) {
      pool.stopAgents();
      pool.addAgent(policy + "cores: 1\n");
      try (Imker imker = pool.connect();
          ImkerExecutor executor = imker.executor()) {
        String last = Integer.toString(Runtime.getRuntime().availableProcessors() - 1);
        assertThat(get(executor.submit(Calls.cores()))).containsExactly(last, "1");
      }
    }
  }

  @Test
  void calls_have_the_memory_they_asked_for_and_are_told() throws Exception {
    ExecutorOptions large = ExecutorOptions.USUAL.withCores(2).withMemory(700L << 20);
    try (TestPool pool = TestPool.start(folder.resolve("pool"))) {
      pool.stopAgents();
      pool.addAgent("sandbox: off\nuser: same\ncores: 2\nmemory: 2 GB\n");
      try (Imker imker = pool.connect();
          ImkerExecutor executor = imker.executor(large)) {
        List<String> given = get(executor.submit(Calls.given()));
        assertThat(given.subList(0, 2)).containsExactly("2", "700");
        assertThat(Integer.parseInt(given.get(2))).isBetween(600, 700);
      }
    }
  }

  private static boolean sandboxWorks() throws InterruptedException {
    try {
      return new ProcessBuilder("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void an_owner_who_wants_signed_jobs_runs_only_libraries_that_a_trusted_one_signed()
      throws Exception {
    KeyPair trusted = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    String key = Base64.getEncoder().encodeToString(trusted.getPublic().getEncoded());
    Path jar = jarOf(Chain.class);
    try (TestPool pool = TestPool.start(folder.resolve("pool"))) {
      pool.stopAgents();
      pool.addAgent("signed: yes\nsandbox: off\ntrust: [" + key + "]\n");
      try (Imker imker = pool.connect();
          ImkerExecutor executor = imker.executor()) {
        assertThatThrownBy(() -> get(executor.submit(Calls.product(2, 3))))
            .hasMessageContaining("runs only signed jobs");
      }
      KeyPair stranger = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      upload(pool, jar, "1", stranger);
      assertThatThrownBy(() -> third(pool, jar, "1")).hasMessageContaining("not from a key that");
      upload(pool, jar, "2", trusted);
      assertThat(third(pool, jar, "2")).contains("3");
    }
  }

  /** Plans and runs a job of the library, with values whose classes are in its jar too. */
  private String third(TestPool pool, Path jar, String version) throws Exception {
    // Outside a sandbox a task of root is another user, who may enter no folder of root.
    Path marks =
        Files.createDirectory(
            Path.of("/tmp", "imker-marks-" + ProcessHandle.current().pid() + "-" + version));
    Files.setPosixFilePermissions(marks, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (URLClassLoader loader =
            new URLClassLoader(
                new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        Imker imker = pool.connect()) {
      Constructor<?> made =
          loader.loadClass(Chain.Plan.class.getName()).getDeclaredConstructors()[0];
      made.setAccessible(true);
      Object plan = made.newInstance(marks.toString(), 0);
      Class<?> third = loader.loadClass(Chain.Third.class.getName());
      String value =
          get(imker
                  .planned("signed")
                  .withLibrary("chain:" + version)
                  .has(plan)
                  .wants(third)
                  .submit())
              .get(third)
              .toString();
      Object writer = Files.getAttribute(marks.resolve("diary"), "unix:uid");
      assertThat(writer).as("the user of Java tasks").isNotEqualTo(0);
      return value;
    } finally {
      Files.deleteIfExists(marks.resolve("diary"));
      Files.delete(marks);
    }
  }

  private Path jarOf(Class<?> type) throws IOException {
    Path jar = folder.resolve("chain.jar");
    String name = type.getName().replace('.', '/');
    Path classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        var files = Files.list(classes.resolve(name).getParent())) {
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().startsWith(type.getSimpleName())) {
          out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          out.write(Files.readAllBytes(file));
          out.closeEntry();
        }
      }
    }
    return jar;
  }

  private static void upload(TestPool pool, Path jar, String version, KeyPair key)
      throws Exception {
    byte[] content = Files.readAllBytes(jar);
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(key.getPrivate());
    signature.update(LibrarySeal.text("chain", version, sha256).getBytes(StandardCharsets.UTF_8));
    put(pool, "/api/v1/blobs/" + sha256, "application/octet-stream", content);
    put(
        pool,
        "/api/v1/libraries/chain",
        "application/json",
        "{\"sha256\":\"%s\",\"version\":\"%s\",\"signature\":\"%s\"}"
            .formatted(sha256, version, Base64.getEncoder().encodeToString(signature.sign()))
            .getBytes(StandardCharsets.UTF_8));
  }

  private static void put(TestPool pool, String path, String type, byte[] body) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      int status =
          http.send(
                  HttpRequest.newBuilder(pool.server().address().resolve(path))
                      .header("Authorization", "Bearer " + pool.server().adminToken())
                      .header("Content-Type", type)
                      .PUT(HttpRequest.BodyPublishers.ofByteArray(body))
                      .build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode();
      assertThat(status).isBetween(200, 204);
    }
  }
}
