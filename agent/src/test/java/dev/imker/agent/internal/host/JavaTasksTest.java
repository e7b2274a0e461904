package dev.imker.agent.internal.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.agent.internal.host.JavaTasks.HostNeeds;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.model.JobId;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.TaskRules;
import dev.imker.model.job.TaskTemplate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaTasksTest {
  private static final HostNeeds NONE = new HostNeeds(0, List.of(), 0);

  @TempDir Path folder;

  private static final class Open implements HostSettings.Enclosing {
    @Override
    public ProcessSpec enclose(
        ProcessSpec spec,
        Path temporary,
        boolean network,
        Map<String, Path> mounts,
        Optional<TaskUser> user) {
      return spec;
    }

    @Override
    public boolean mounts() {
      return false;
    }

    @Override
    public Optional<TaskUser> user() {
      return Optional.empty();
    }

    @Override
    public boolean hasUsers() {
      return false;
    }
  }

  @Test
  void host_that_nobody_uses_ends_though_no_other_is_started() throws Exception {
    HostSettings settings =
        new HostSettings(
            ProcessExecutor.best(),
            ProcessPriority.NORMAL,
            folder.resolve("hosts"),
            (_, _) -> new HashMap<>(),
            new Open(),
            1);
    TaskTemplate template =
        new TaskTemplate(
            new JobId(1),
            0,
            "user",
            "project",
            "job",
            JobKind.JAVA,
            List.of(),
            "{\"v\":1,\"action\":{\"class\":\"Any\"}}",
            List.of(),
            Map.of(),
            List.of(),
            List.of(),
            TaskRules.USUAL);
    try (JavaTasks tasks = new JavaTasks(settings, blob -> folder.resolve(blob.sha256()))) {
      tasks.prepare(template, NONE);
      tasks.endIdle(System.nanoTime());
      assertThat(tasks.isReady(template, NONE)).isTrue();
      tasks.endIdle(System.nanoTime() + 2 * JavaTasks.IDLE_NANOS);
      assertThat(tasks.isReady(template, NONE)).isFalse();
      await().atMost(Duration.ofSeconds(60)).until(() -> tasks.memoryBytes() == 0);
    }
  }
}
