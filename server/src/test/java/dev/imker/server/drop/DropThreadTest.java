package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderPlace;
import dev.imker.testbase.ExpectedLogs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLogs("The drop folder .* waits")
class DropThreadTest {
  @TempDir Path root;

  private final AtomicInteger looks = new AtomicInteger();

  /** The same folder, with a mistake in it that shows once. */
  private DropPlace wrongOnce(DropPlace real) {
    return (DropPlace)
        Proxy.newProxyInstance(
            DropPlace.class.getClassLoader(),
            new Class<?>[] {DropPlace.class},
            (_, method, arguments) -> call(real, method, arguments));
  }

  private Object call(DropPlace real, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("inbox") && looks.getAndIncrement() == 0) {
      throw new StackOverflowError("a mistake");
    }
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Test
  void a_place_that_cannot_be_opened_yet_is_opened_later_and_its_trouble_is_told()
      throws Exception {
    PaperPool pool = new PaperPool();
    AtomicInteger tries = new AtomicInteger();
    DropThread.Opening opening =
        () -> {
          if (tries.getAndIncrement() == 0) {
            throw new ImkerException("the mail server is away");
          }
          return FolderPlace.open(root, "server-1");
        };
    try (DropThread thread =
        new DropThread(
            "as written",
            opening,
            place -> new DropKeeper(place, pool, pool, Clock.systemUTC(), 0))) {
      thread.start();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> thread.trouble().contains("mail server is away"));
      assertThat(thread.name()).isEqualTo("as written");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> thread.name().equals(root.toRealPath().toString()));
      assertThat(thread.trouble()).isEmpty();
    }
  }

  @Test
  void a_mistake_of_ours_does_not_end_the_folder() throws Exception {
    PaperPool pool = new PaperPool();
    DropPlace place = wrongOnce(FolderPlace.open(root, "server-1"));
    DropKeeper keeper = new DropKeeper(place, pool, pool, Clock.systemUTC(), 0);
    try (DropThread thread = new DropThread("folder", () -> place, _ -> keeper)) {
      Files.writeString(root.resolve("inbox/a.yaml"), "text");
      thread.start();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(root.resolve("running/a.yaml")).exists());
    }
    assertThat(looks).hasValueGreaterThan(1);
  }
}
