package dev.imker.server.fault;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.imker.server.fault.SteppedPool.Crash;
import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * What is done about failures, on the real store, with a crash of the server, the agents or both
 * after any single step: it makes no difference to how jobs end. A usual run takes one step out of
 * five; {@code -Dimker.faults=all} takes all.
 */
class StrategyCrashTest {
  private static final boolean ALL = System.getProperty("imker.faults", "").equals("all");
  private static final int STRIDE = 5;

  @TempDir Path folder;
  private final Random random = new Random();
  private int runs;

  private record Disk(Path data) implements SteppedPool.Place {
    @Override
    public PoolStore open() {
      return SqliteStore.open(data);
    }

    @Override
    public boolean isDead() {
      return false;
    }

    @Override
    public void revive() {}

    @Override
    public void calm() {}
  }

  /** Without it, every line of all that goes wrong on purpose would be told. */
  @BeforeEach
  void be_silent() {
    ((Logger) LoggerFactory.getLogger("dev.imker")).setLevel(Level.OFF);
  }

  @AfterEach
  void speak_again() {
    ((Logger) LoggerFactory.getLogger("dev.imker")).setLevel(null);
  }

  @ParameterizedTest
  @EnumSource(names = {"RETRY", "RESCUE", "RESTART", "ROLLBACK"})
  void a_crash_after_any_step_changes_nothing(Scenario scenario) throws IOException {
    SqliteStore.open(folder.resolve("template")).close();
    int steps = play(scenario, 0, Crash.BOTH);
    assertThat(steps).isGreaterThan(10);
    for (Crash crash : Crash.values()) {
      for (int step = ALL ? 1 : 1 + random.nextInt(STRIDE);
          step <= steps;
          step += ALL ? 1 : STRIDE) {
        play(scenario, step, crash);
      }
    }
  }

  private int play(Scenario scenario, int step, Crash crash) throws IOException {
    Path data = Files.createDirectories(folder.resolve("run-" + runs++));
    try (Stream<Path> files = Files.list(folder.resolve("template"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, data.resolve(file.getFileName()));
      }
    }
    try (SteppedPool pool = new SteppedPool(new Disk(data))) {
      pool.crashAfter(step, crash);
      scenario.play(pool);
      return pool.steps();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "%s, %s crashed after step %d: %s".formatted(scenario, crash, step, e.getMessage()), e);
    }
  }
}
