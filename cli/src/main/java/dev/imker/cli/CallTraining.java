package dev.imker.cli;

import dev.imker.client.Imker;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.model.ImkerException;
import dev.imker.tasks.RemoteCallable;
import dev.imker.training.EmptyCall;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Java calls one after the other, so many that it is seen what is hot: the first thousand of a new
 * server then take half as long. With more of them the compiler begins with more at once, which
 * takes the first calls longer.
 */
final class CallTraining {
  private static final int CALLS = 400;

  private CallTraining() {}

  /**
   * Returns whether they were made: where Java tasks cannot run, the rest is worth having.
   *
   * @param patience for all of them together
   */
  static boolean run(TrainingPool pool, Path home, Duration patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    try (URLClassLoader program = program(home.resolve("classes"));
        Imker imker = Imker.connect(pool.url(), pool.token())) {
      // Closed with the connection, which cancels what is left instead of waiting for it.
      ImkerExecutor executor = imker.executor();
      if (program.loadClass(EmptyCall.class.getName()).getConstructor().newInstance()
          instanceof RemoteCallable<?> call) {
        for (int i = 0; i < CALLS; i++) {
          executor.submit(call).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
      }
      return true;
    } catch (ExecutionException
        | TimeoutException
        | ReflectiveOperationException
        | ImkerException
        | RejectedExecutionException e) {
      return false;
    }
  }

  /** The class of the call in a folder, as a program has its own, which are sent. */
  private static URLClassLoader program(Path classes) throws IOException {
    String file = EmptyCall.class.getName().replace('.', '/') + ".class";
    Path copy = classes.resolve(file);
    Files.createDirectories(Objects.requireNonNull(copy.getParent()));
    ClassLoader own = CallTraining.class.getClassLoader();
    try (InputStream code = Objects.requireNonNull(own.getResourceAsStream(file))) {
      Files.copy(code, copy);
    }
    return new URLClassLoader(new URL[] {classes.toUri().toURL()}, new TasksOnly(own));
  }

  /** What programs are written against, and nothing else that is here. */
  private static final class TasksOnly extends ClassLoader {
    private final ClassLoader own;

    TasksOnly(ClassLoader own) {
      super(ClassLoader.getPlatformClassLoader());
      this.own = own;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("dev.imker.tasks.")) {
        return own.loadClass(name);
      }
      throw new ClassNotFoundException(name);
    }
  }
}
