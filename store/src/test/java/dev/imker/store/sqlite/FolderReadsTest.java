package dev.imker.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.Availability;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.NodeAvailable;
import dev.imker.store.Samples;
import dev.imker.store.StoreException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderReadsTest {
  @TempDir Path folder;

  @Test
  void folder_is_read_while_its_pool_runs() {
    try (SqliteStore store = SqliteStore.open(folder)) {
      TaskId task = TaskId.of(1, 0);
      store.commit(List.of(Samples.job(1, "a", 2), Samples.started(task, 7)));
      store.commit(List.of(Samples.doneWith(task, 7, Samples.richReport())));
      try (FolderReads reader = FolderReads.open(folder)) {
        assertThat(reader.reads().runs(new JobId(1), 10))
            .singleElement()
            .satisfies(
                run -> {
                  assertThat(run.task()).isEqualTo(task);
                  assertThat(run.state()).isEqualTo(TaskState.DONE);
                  assertThat(run.node()).isEqualTo(Samples.NODE);
                  assertThat(run.runMillis()).isEqualTo(1000);
                });
        store.commit(List.of(new NodeAvailable(Samples.NODE, Availability.UP, 5)));
        assertThat(reader.reads().availability(0)).hasSize(1);
      }
    }
  }

  @Test
  void folder_without_a_pool_is_refused() {
    assertThatThrownBy(() -> FolderReads.open(folder))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no pool in " + folder);
  }
}
