package dev.imker.testkit;

import static dev.imker.client.PlannedJob.relation;
import static dev.imker.client.PlannedJob.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.Imker;
import dev.imker.client.executor.Actor;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.client.executor.JobHandle;
import dev.imker.tasks.Task;
import dev.imker.testkit.SocialMedia.Suggestions;
import dev.imker.testkit.SocialMedia.UserId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/java.md. */
class JavaGuideTest {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void an_executor() throws Exception {
    try (TestPool own = TestPool.start(folder);
        Imker imker = own.connect()) {
      try (ImkerExecutor pool = imker.executor()) {
        Future<Integer> answer = pool.submit(() -> 6 * 7);
        assertThat(answer.get()).isEqualTo(42);
      }
      try (ImkerExecutor pool = imker.executor()) {
        long inside =
            pool.map(LongStream.range(0, 100).boxed(), (Long seed) -> MonteCarlo.hits(seed, 1_000))
                .mapToLong(Long::longValue)
                .sum();
        assertThat(4.0 * inside / 100_000).isBetween(3.0, 3.3);
      }
    }
  }

  @Test
  void a_job_that_outlives_its_program() throws Exception {
    List<Integer> numbers = List.of(1, 2, 3);
    try (TestPool own = TestPool.start(folder)) {
      try (Imker imker = own.connect();
          ImkerExecutor pool = imker.executor()) {
        JobHandle<List<Integer>> job =
            pool.mapDurably("squares-2026-11", numbers, (Integer n) -> n * n);
        assertThat(job.key()).isEqualTo("squares-2026-11");
      }
      try (Imker imker = own.connect()) {
        JobHandle<List<Integer>> job = imker.attach("squares-2026-11", Integer.class);
        job.onProgress(now -> System.out.println(now.done() + " of " + now.tasks()));
        List<Integer> squares = job.result().get();
        assertThat(squares).containsExactly(1, 4, 9);
      }
    }
  }

  static class Counter {
    private int value;

    int increment() {
      return ++value;
    }

    int add(int more) {
      return value += more;
    }
  }

  @Test
  void an_actor() throws Exception {
    try (Imker imker = Imker.local(2);
        ImkerExecutor pool = imker.executor()) {
      Actor<Counter> counter = pool.actor("visits", Counter::new);
      CompletableFuture<Integer> first = counter.call(Counter::increment);
      CompletableFuture<Integer> second = counter.call(c -> c.add(5));
      assertThat(first.get()).isEqualTo(1);
      assertThat(second.get()).isEqualTo(6);
    }
  }

  @Test
  void a_pool_inside_a_test() throws Exception {
    try (TestPool pool = TestPool.start(folder);
        Imker imker = pool.connect()) {
      assertThat(imker.executor().submit(() -> 6 * 7).get()).isEqualTo(42);
    }
  }

  @Test
  void planned_jobs() throws Exception {
    List<Class<? extends Task>> actions = SocialMedia.ACTIONS;
    try (Imker imker = Imker.local(2)) {
      Suggestions suggestions =
          imker
              .planned("suggest")
              .with(actions)
              .has(new UserId("ada"))
              .wants(Suggestions.class)
              .submit()
              .get()
              .get(Suggestions.class);
      assertThat(suggestions.names()).hasSize(16);
      assertThat(
              imker
                  .planned("cargo")
                  .with(Cargo.Load.class, Cargo.Unload.class, Cargo.Fly.class)
                  .has(value("Freight", "f", new Cargo.Journey("f:")))
                  .has(value("Plane", "p", "a plane"))
                  .has(value("Airport", "a", "Aachen"))
                  .has(value("Airport", "b", "Bern"))
                  .has(relation("At", "f", "a"))
                  .has(relation("Stands", "p", "a"))
                  .wants(relation("At", "f", "b"))
                  .submit()
                  .get()
                  .get(Cargo.Journey.class, "f")
                  .text())
          .isEqualTo("f: loaded in a unloaded in b");
    }
  }

  @Test
  void the_guide_shows_code_that_was_run() throws IOException {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("imker.root")));
    Path sources = root.resolve("testkit/src/test/java/dev/imker/testkit");
    String code = "";
    for (String name :
        List.of("JavaGuideTest.java", "SocialMedia.java", "SubCalls.java", "Coordinated.java")) {
      code += squeezed(Files.readString(sources.resolve(name)));
    }
    Path bean = root.resolve("spring/src/test/java/dev/imker/spring/Pricing.java");
    code += squeezed(Files.readString(bean));
    Matcher blocks = BLOCK.matcher(Files.readString(root.resolve("docs/java.md")));
    int found = 0;
    while (blocks.find()) {
      String block = blocks.group(1);
      assertThat(code.contains(squeezed(block))).as("not run by this test:\n%s", block).isTrue();
      found++;
    }
    assertThat(found).isEqualTo(14);
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s+", "");
  }
}
