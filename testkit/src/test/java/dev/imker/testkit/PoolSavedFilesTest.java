package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.Imker;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.client.executor.JobHandle;
import dev.imker.tasks.TaskContext;
import dev.imker.tasks.TaskFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PoolSavedFilesTest extends SavedFilesContract {
  @RegisterExtension static final SharedPool POOL = new SharedPool();

  @Override
  Imker imker() {
    return POOL.imker();
  }

  private static TaskFile square(int number) throws IOException {
    return TaskContext.current()
        .saveFile(
            Files.writeString(
                TaskContext.current().folder().resolve("square.txt"), "" + number * number));
  }

  @Test
  void another_program_fetches_files_of_a_job_that_it_finds_by_its_key() throws Exception {
    try (Imker first = POOL.pool().connect();
        ImkerExecutor pool = first.executor()) {
      pool.mapDurably("files/1", List.of(2, 3), PoolSavedFilesTest::square);
    }
    try (Imker second = POOL.pool().connect()) {
      JobHandle<List<TaskFile>> job = second.attach("files/1", TaskFile.class);
      List<TaskFile> files = job.result().get();
      assertThat(files.getFirst().task()).isEqualTo(job.id() + ".1");
      second.fetch(files.get(1), folder.resolve("nine"));
      assertThat(folder.resolve("nine")).hasContent("9");
      assertThat(POOL.get("/api/v1/tasks/" + job.id() + ".1/results/square.txt")).isEqualTo("4");
    }
  }
}
