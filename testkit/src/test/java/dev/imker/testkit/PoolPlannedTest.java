package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.client.Imker;
import dev.imker.client.plan.FailureStrategy;
import dev.imker.client.plan.Wanted;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Planned jobs in a pool. */
class PoolPlannedTest extends PlannedContract {
  @RegisterExtension static final SharedPool POOL = new SharedPool();

  @Override
  Imker imker() {
    return POOL.imker();
  }

  @Test
  void a_library_that_was_uploaded_is_used_by_its_name() throws Exception {
    byte[] jar = jarOf("Chain", UnaryOperator.identity());
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar));
    POOL.putBlob(sha256, jar);
    String library = POOL.ask("PUT", "/api/v1/libraries/chain", "{\"sha256\":\"" + sha256 + "\"}");
    assertThat(library).contains("Chain$DoFirst");
    Wanted wanted =
        POOL.imker()
            .planned("by-name")
            .withLibrary("chain")
            .has(new Chain.Plan(marks.toString(), 0))
            .wants(Chain.Third.class)
            .submit()
            .get(60, TimeUnit.SECONDS);
    assertThat(wanted.get(Chain.Third.class).value()).isEqualTo(3);
    assertThatThrownBy(() -> POOL.imker().planned("none").withLibrary("chain:7"))
        .hasMessageContaining("no task library chain:7");
  }

  /** As javac marks all that uses a structured task scope. */
  @Test
  void classes_that_use_previews_of_java_are_loaded() throws Exception {
    byte[] jar = jarOf("Chain", PoolPlannedTest::usingPreviews);
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar));
    POOL.putBlob(sha256, jar);
    POOL.ask("PUT", "/api/v1/libraries/previews", "{\"sha256\":\"" + sha256 + "\"}");
    Wanted wanted =
        POOL.imker()
            .planned("previews")
            .withLibrary("previews")
            .has(new Chain.Plan(marks.toString(), 0))
            .wants(Chain.Third.class)
            .submit()
            .get(60, TimeUnit.SECONDS);
    assertThat(wanted.get(Chain.Third.class).value()).isEqualTo(3);
  }

  private static byte[] usingPreviews(byte[] classFile) {
    byte[] marked = classFile.clone();
    marked[4] = (byte) 0xff; // its minor version
    marked[5] = (byte) 0xff;
    return marked;
  }

  @Test
  void a_pause_before_a_further_attempt_is_over_when_the_clock_says_so() throws Exception {
    CompletableFuture<Wanted> job =
        POOL.imker()
            .planned("paused")
            .with(Chain.DoFirst.class, Chain.DoSecond.class, Chain.DoThird.class)
            .has(new Chain.Plan(marks.toString(), 1))
            .wants(Chain.Third.class)
            .onFailure(FailureStrategy.rerun(2, Duration.ofHours(1)))
            .submit();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> tasksOf("paused").contains("\"failures\":1"));
    assertThat(job).isNotDone();
    POOL.pool().clock().advance(Duration.ofHours(2));
    assertThat(job.get(60, TimeUnit.SECONDS).get(Chain.Third.class).value()).isEqualTo(3);
  }

  @Test
  void what_is_not_finished_when_the_client_is_closed_is_cancelled() throws Exception {
    CompletableFuture<Wanted> job;
    try (Imker imker = POOL.pool().connect()) {
      job =
          imker
              .planned("left")
              .with(Chain.DoFirst.class, Chain.DoSecond.class, Chain.DoThird.class)
              .has(new Chain.Plan(marks.toString(), 1))
              .wants(Chain.Third.class)
              .onFailure(FailureStrategy.rerun(2, Duration.ofHours(1)))
              .submit();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> tasksOf("left").contains("\"failures\":1"));
    }
    assertThat(job).isCancelled();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> POOL.get("/api/v1/jobs?name=left").contains("\"status\":\"CANCELLED\""));
  }

  private static String tasksOf(String name) throws Exception {
    String job = SharedPool.field("id", POOL.get("/api/v1/jobs?name=" + name));
    return job.isEmpty() ? "" : POOL.get("/api/v1/jobs/" + job + "/tasks");
  }

  private static byte[] jarOf(String prefix, UnaryOperator<byte[]> change) throws Exception {
    Path classes =
        Path.of(Chain.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("dev/imker/testkit");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes);
        Stream<Path> files = Files.list(classes)) {
      for (Path file :
          files.filter(one -> one.getFileName().toString().startsWith(prefix)).sorted().toList()) {
        jar.putNextEntry(new JarEntry("dev/imker/testkit/" + file.getFileName()));
        jar.write(change.apply(Files.readAllBytes(file)));
        jar.closeEntry();
      }
    }
    return bytes.toByteArray();
  }
}
