package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.OwnProgram;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.job.ExpandedTask;
import java.io.IOException;

/** Creates the process specification of a run from its template. */
record Commands(
    WorkArea area, TaskEnvironment environment, Enclosure enclosure, ProcessPriority priority) {
  /**
   * The process of a run, in the run's folder; takes one if it has none yet.
   *
   * @throws StartFailedException when it cannot run on the owner's terms
   */
  ProcessSpec of(TaskRun run) throws IOException {
    ExpandedTask task = run.expanded();
    TaskFolder folder = run.folder;
    if (folder == null) {
      folder = Preparation.folder(run, area);
    }
    ProcessSpec spec =
        new ProcessSpec(
            ShellLine.words(OwnProgram.in(task.command())),
            environment.of(run, task, folder),
            folder.work(),
            folder.stdout(),
            folder.stderr(),
            priority);
    if (!task.stdin().isEmpty()) {
      spec = spec.reading(folder.layStdin(task.stdin()));
    }
    ProcessSpec enclosed = enclosure.enclose(run, spec, folder);
    folder.handOver();
    return enclosed;
  }
}
