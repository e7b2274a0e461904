package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.client.executor.JobHandle;
import dev.imker.client.executor.JobProgress;
import dev.imker.client.plan.Wanted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that outlive the program that submitted them. */
class JobHandleTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final List<Integer> NUMBERS = Collections.nCopies(5, 7);

  @RegisterExtension static final SharedPool POOL = new SharedPool();

  @TempDir Path folder;

  private static <T> T get(JobHandle<T> job) throws Exception {
    return job.result().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static JobHandle<List<Integer>> begin(Imker imker, String key, Path gate) {
    try (ImkerExecutor executor = imker.executor()) {
      return executor.mapDurably(key, NUMBERS, Calls.behind(gate));
    }
  }

  @Test
  void a_job_goes_on_without_its_program_and_is_found_by_its_key() throws Exception {
    Path gate = folder.resolve("gate");
    long id;
    try (Imker first = POOL.pool().connect()) {
      JobHandle<List<Integer>> job = begin(first, "map/1", gate);
      id = job.id();
      assertThat(job.progress().tasks()).isEqualTo(NUMBERS.size());
    }
    try (Imker second = POOL.pool().connect()) {
      JobHandle<List<Integer>> again = begin(second, "map/1", gate);
      JobHandle<List<Integer>> attached = second.attach("map/1", Integer.class);
      assertThat(again.id()).isEqualTo(id);
      assertThat(attached.id()).isEqualTo(id);
      List<JobProgress> heard = new CopyOnWriteArrayList<>();
      attached.onProgress(heard::add);
      Files.createFile(gate);
      assertThat(get(again)).isEqualTo(Collections.nCopies(5, 14));
      assertThat(get(attached)).isEqualTo(Collections.nCopies(5, 14));
      assertThat(heard.getLast())
          .isEqualTo(new JobProgress("DONE", true, NUMBERS.size(), 0, NUMBERS.size(), 0));
    }
  }

  @Test
  void a_key_is_of_one_job_and_an_unknown_one_is_told() {
    Path gate = folder.resolve("gate");
    JobHandle<List<Integer>> job = begin(POOL.imker(), "map/2", gate);
    assertThatThrownBy(() -> begin(POOL.imker(), "map/2", folder.resolve("other")))
        .hasMessageContaining("belongs to job " + job.id());
    assertThatThrownBy(() -> POOL.imker().attach("map/3", Integer.class))
        .hasMessageContaining("You have no job with the key map/3");
    job.cancel();
    await().until(() -> job.progress().over());
    assertThatThrownBy(() -> get(job))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("CANCELLED");
  }

  @Test
  void a_failed_call_fails_the_result_with_its_own_exception() throws Exception {
    try (Imker local = Imker.local(2)) {
      for (Imker imker : List.of(local, POOL.imker())) {
        try (ImkerExecutor executor = imker.executor()) {
          JobHandle<List<Integer>> job =
              executor.mapDurably("map/4", List.of(2, 0), (Integer n) -> 4 / n);
          assertThatThrownBy(() -> get(job)).hasCauseInstanceOf(ArithmeticException.class);
        }
      }
    }
  }

  @Test
  void tasks_that_are_held_back_after_failures_have_failed() {
    try (ImkerExecutor executor =
        POOL.imker().executor(ExecutorOptions.USUAL.withMemoryMegabytes(1))) {
      JobHandle<List<Integer>> job =
          executor.mapDurably("map/5", List.of(2, 3), (Integer n) -> 4 / n);
      assertThatThrownBy(() -> get(job)).hasMessageContaining("could not be started");
      await().until(() -> job.progress().over());
      assertThat(job.progress()).isEqualTo(new JobProgress("FAILED", true, 2, 0, 0, 2));
    }
  }

  @Test
  void a_planned_job_is_found_by_its_key() throws Exception {
    long id;
    try (Imker first = POOL.pool().connect()) {
      id = planned(first).id();
    }
    try (Imker second = POOL.pool().connect()) {
      JobHandle<Wanted> again = planned(second);
      JobHandle<Wanted> attached = second.attachPlanned("plan/1");
      assertThat(again.id()).isEqualTo(id);
      assertThat(attached.id()).isEqualTo(id);
      assertThat(get(again).get(Chain.Third.class).value()).isEqualTo(3);
      assertThat(get(attached).get(Chain.Third.class).value()).isEqualTo(3);
    }
  }

  private JobHandle<Wanted> planned(Imker imker) {
    return imker
        .planned("durable")
        .with(Chain.DoFirst.class, Chain.DoSecond.class, Chain.DoThird.class)
        .has(new Chain.Plan(folder.toString(), 0))
        .wants(Chain.Third.class)
        .submit("plan/1");
  }
}
