package dev.imker.chaos.load;

import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Four tasks that keep a log of themselves: one, then a slow and a quick one beside each other,
 * then one that fails, always or the first time.
 */
final class FailingPlan {
  /** What a job is given. */
  record Plan(String log, boolean failsAlways) {
    void note(String line) throws IOException {
      Files.writeString(
          Path.of(log), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  record Begun(String word) {}

  record Slow(String word) {}

  record Quick(String word) {}

  /** What nobody ever gets if the plan fails always. */
  record Whole(String word) {}

  private FailingPlan() {}

  /** A task that says when it begins and ends, and when it is undone. */
  abstract static class Step extends Task {
    private static final long UNDO_MILLIS = 50;

    abstract void work(String word) throws Exception;

    @Override
    protected void task() throws Exception {
      String word = "java-" + context().taskId() + "-" + context().attempt();
      get(Plan.class).note("b " + word);
      work(word);
      get(Plan.class).note("e " + word);
    }

    @Override
    protected void rollback() throws Exception {
      get(Plan.class).note("u " + context().taskId());
      Thread.sleep(UNDO_MILLIS);
      get(Plan.class).note("v " + context().taskId());
    }
  }

  @Action
  @Preconditions({Plan.class})
  @Effects({Begun.class})
  static final class Begin extends Step {
    @Override
    void work(String word) {
      put(new Begun(word));
    }
  }

  @Action
  @Preconditions({Plan.class, Begun.class})
  @Effects({Slow.class})
  static final class DoSlowly extends Step {
    private static final long MILLIS = 3_000;

    @Override
    void work(String word) throws InterruptedException {
      Thread.sleep(MILLIS);
      put(new Slow(word));
    }
  }

  @Action
  @Preconditions({Plan.class, Begun.class})
  @Effects({Quick.class})
  static final class DoQuickly extends Step {
    @Override
    void work(String word) {
      put(new Quick(word));
    }
  }

  @Action
  @Preconditions({Plan.class, Slow.class, Quick.class})
  @Effects({Whole.class})
  static final class Fail extends Step {
    @Override
    void work(String word) throws IOException {
      Plan plan = get(Plan.class);
      Path failed = Path.of(plan.log + "." + word.substring(0, word.lastIndexOf('.')));
      if (plan.failsAlways || Files.notExists(failed)) {
        Files.writeString(failed, word);
        throw new IllegalStateException("as planned");
      }
      put(new Whole(word));
    }
  }
}
