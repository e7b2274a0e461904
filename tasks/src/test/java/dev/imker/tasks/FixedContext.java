package dev.imker.tasks;

import dev.imker.tasks.coordination.Coordination;
import java.nio.file.Path;
import java.util.Optional;

/** The context of a task that needs little of it. */
record FixedContext(int attempt) implements TaskContext {
  @Override
  public String taskId() {
    return "1.1";
  }

  @Override
  public void progress(double fraction, String text) {}

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void log(String line) {}

  @Override
  public void saveCheckpoint(Object value) {}

  @Override
  public <T> Optional<T> checkpoint(Class<T> type) {
    return Optional.empty();
  }

  @Override
  public Path folder() {
    return Path.of("");
  }

  @Override
  public TaskFile saveFile(Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> Spawned<T> spawn(RemoteCallable<T> call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Blackboard blackboard() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Coordination coordination() {
    throw new UnsupportedOperationException();
  }
}
