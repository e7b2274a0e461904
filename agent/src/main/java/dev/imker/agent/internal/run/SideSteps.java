package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.TaskRun;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of runs that wait for network or disk, each on a virtual thread of its own. Whatever
 * happens in a step, the runner hears of its end: nothing that is thrown there can leave a run
 * between two phases. A run has one step at a time; ending the run interrupts it.
 *
 * @param runner has something done for a run by the runner's thread; should that fail, the run is
 *     at its end
 * @param onLateEnd told, there, of a step that ended after its run was over
 */
record SideSteps(BiConsumer<TaskRun, Runnable> runner, Consumer<TaskRun> onLateEnd) {
  private static final Logger LOG = LoggerFactory.getLogger(SideSteps.class);

  /**
   * Begins a step and returns at once. Of {@code then} and {@code failed} one is called, by the
   * runner's thread, unless the run is over by then.
   */
  <T> void begin(
      TaskRun run, String name, Callable<T> step, Consumer<T> then, Consumer<Throwable> failed) {
    Thread thread = Thread.ofVirtual().name(name).unstarted(() -> perform(run, step, then, failed));
    run.sideStep = thread;
    thread.start();
  }

  private <T> void perform(
      TaskRun run, Callable<T> step, Consumer<T> then, Consumer<Throwable> failed) {
    Runnable end;
    try {
      T outcome = step.call();
      end = () -> then.accept(outcome);
    } catch (Throwable e) {
      LOG.debug("A step of task {} failed", run.held.lease().task(), e);
      end = () -> failed.accept(e);
    }
    Runnable last = end;
    runner.accept(
        run,
        () -> {
          run.sideStep = null;
          if (run.isOver()) {
            onLateEnd.accept(run);
          } else {
            last.run();
          }
        });
  }
}
