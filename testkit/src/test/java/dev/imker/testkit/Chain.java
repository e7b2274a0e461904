package dev.imker.testkit;

import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Three tasks in a row that leave marks in a folder; the third one fails as it is told to. */
final class Chain {
  /** Where marks are left, and how often the third task is to fail. */
  record Plan(String folder, int failures) {
    /** Adds a line to the diary of the job. */
    void note(String line) throws IOException {
      Files.writeString(
          Path.of(folder, "diary"),
          line + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }

    long count(String line) throws IOException {
      Path diary = Path.of(folder, "diary");
      return Files.exists(diary)
          ? Files.readAllLines(diary).stream().filter(line::equals).count()
          : 0;
    }
  }

  record First(int value) {}

  record Second(int value) {}

  record Third(int value, String rescuedFrom) {}

  /** So many failures, and the second task cannot be undone. */
  static final int STUCK = 99;

  private Chain() {}

  @Action
  @Preconditions({Plan.class})
  @Effects({First.class})
  static final class DoFirst extends Task {
    @Override
    protected void task() throws IOException {
      get(Plan.class).note("first");
      put(new First(1));
    }

    @Override
    protected void rollback() throws IOException {
      get(Plan.class).note("undo first");
    }
  }

  @Action
  @Preconditions({Plan.class, First.class})
  @Effects({Second.class})
  static final class DoSecond extends Task {
    @Override
    protected void task() throws IOException {
      get(Plan.class).note("second");
      put(new Second(get(First.class).value() + 1));
    }

    @Override
    protected void rollback() throws IOException {
      get(Plan.class).note("undo second");
      if (get(Plan.class).failures() == STUCK) {
        throw new IllegalStateException("the second one stays");
      }
    }
  }

  @Action
  @Preconditions({Plan.class, Second.class})
  @Effects({Third.class})
  static final class DoThird extends Task {
    private String rescuedFrom = "";

    @Override
    protected void rescue(String previousError) throws IOException {
      get(Plan.class).note("rescue");
      rescuedFrom = previousError;
    }

    @Override
    protected void task() throws IOException {
      Plan plan = get(Plan.class);
      plan.note("third");
      if (plan.count("third") <= plan.failures()) {
        throw new IllegalStateException("the third one fails");
      }
      put(new Third(get(Second.class).value() + 1, rescuedFrom));
    }

    @Override
    protected void rollback() throws IOException {
      get(Plan.class).note("undo third");
    }
  }
}
