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
 * then one that fails.
 */
final class FailingPlan {
  /** How long the last task fails. */
  enum Fails {
    ALWAYS,
    /** Only in the first attempt there ever was. */
    FIRST_TIME,
    /** In every attempt before which it is not told of the failure of an earlier one. */
    UNTIL_RESCUED
  }

  /** What a job is given. */
  record Plan(String log, Fails fails) {
    void note(String line) throws IOException, InterruptedException {
      Files.writeString(
          Path.of(log), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      Halt.of(Path.of(log)).await();
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
      // A crash in the middle of it can be wanted, and then it need not last.
      Thread.sleep(Halt.isPossible(Path.of(get(Plan.class).log)) ? MILLIS / 10 : MILLIS);
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
    private static final String ERROR = "as planned";

    private boolean rescued;

    @Override
    protected void rescue(String previousError) throws IOException, InterruptedException {
      String first = previousError.lines().findFirst().orElse("");
      get(Plan.class).note("r " + context().taskId() + " " + first);
      rescued = previousError.contains(ERROR);
    }

    @Override
    void work(String word) throws IOException {
      if (isToFail(word)) {
        throw new IllegalStateException(ERROR);
      }
      put(new Whole(word));
    }

    private boolean isToFail(String word) throws IOException {
      Plan plan = get(Plan.class);
      Path failed = Path.of(plan.log + "." + word.substring(0, word.lastIndexOf('.')));
      return switch (plan.fails) {
        case ALWAYS -> true;
        case UNTIL_RESCUED -> !rescued;
        case FIRST_TIME -> {
          boolean first = Files.notExists(failed);
          Files.writeString(failed, word);
          yield first;
        }
      };
    }
  }
}
