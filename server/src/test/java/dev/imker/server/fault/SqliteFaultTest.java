package dev.imker.server.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.imker.server.fault.FaultyDisk.Fault;
import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Every scenario with a fault at every write and every synchronisation of the real SQLite. A test
 * run makes a part of them, chosen by a seed that it prints; {@code -Dimker.faults=all} makes all,
 * and {@code -Dimker.fault=} with what a failure says, or a part of it, only those.
 */
@EnabledOnOs(OS.LINUX)
class SqliteFaultTest {
  private static final long SECONDS = 12;

  private record Point(Scenario scenario, Fault fault, int call) {}

  @TempDir Path folder;
  private final long seed = Long.getLong("imker.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Path template = Path.of("");
  private int runs;
  private boolean hasty;

  /** A folder that survives the death of its server. */
  private final class Disk implements SteppedPool.Place {
    private final Path data;
    private final FaultyDisk disk;

    Disk(Path data, FaultyDisk disk) {
      this.data = data;
      this.disk = disk;
    }

    @Override
    public PoolStore open() {
      PoolStore store = SqliteStore.open(data);
      return hasty ? HastyStore.over(store) : store;
    }

    @Override
    public boolean isDead() {
      return disk.isWithoutPower();
    }

    @Override
    public void calm() {
      disk.calm();
    }

    @Override
    public void revive() {
      try {
        disk.powerOn(random);
        Files.deleteIfExists(data.resolve("imker.db-shm"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private FaultyDisk prepare() {
    template = folder.resolve("template");
    SqliteStore.open(template).close();
    assumeTrue(Files.exists(Path.of("/proc/self/maps")));
    return FaultyDisk.get();
  }

  private Path fresh() throws IOException {
    Path data = Files.createDirectories(folder.resolve("run-" + runs++));
    try (Stream<Path> files = Files.list(template)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, data.resolve(file.getFileName()));
      }
    }
    return data;
  }

  private int play(FaultyDisk disk, Point point) throws IOException {
    Path data = fresh();
    disk.arm(data, point.fault, point.call);
    try (SteppedPool pool = new SteppedPool(new Disk(data, disk))) {
      point.scenario.play(pool);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed %d, %s: %s".formatted(seed, point, e.getMessage()), e);
    } finally {
      disk.calm();
    }
    int calls = disk.calls();
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    return calls;
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

  /** Of the same kind as a commit that changes nothing, and so waits for nothing. */
  @Test
  void an_acknowledgement_without_synchronisation_is_found() throws Exception {
    FaultyDisk disk = prepare();
    int calls = play(disk, new Point(Scenario.SUBMIT, Fault.NONE, 0));
    disk.lie(true);
    try {
      assertThatThrownBy(
              () -> {
                for (int call = calls; call > 0; call -= 7) {
                  play(disk, new Point(Scenario.SUBMIT, Fault.POWER, call));
                }
              })
          .isInstanceOf(AssertionError.class);
    } finally {
      disk.lie(false);
    }
  }

  @Test
  void an_acknowledgement_before_the_commit_is_found() throws Exception {
    FaultyDisk disk = prepare();
    int calls = play(disk, new Point(Scenario.SUBMIT, Fault.NONE, 0));
    hasty = true;
    assertThatThrownBy(
            () -> {
              for (int call = calls; call > 0; call -= 3) {
                play(disk, new Point(Scenario.SUBMIT, Fault.POWER, call));
              }
            })
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void whatever_happens_to_the_disk_what_was_acknowledged_is_there_once() throws Exception {
    FaultyDisk disk = prepare();
    List<Point> points = new ArrayList<>();
    for (Scenario scenario : Scenario.values()) {
      int calls = play(disk, new Point(scenario, Fault.NONE, 0));
      assertThat(disk.syncs()).as("%s waits for the disk", scenario).isPositive();
      for (int call = 1; call <= calls; call++) {
        for (Fault fault : List.of(Fault.FAILS, Fault.FULL, Fault.POWER, Fault.TORN_POWER)) {
          points.add(new Point(scenario, fault, call));
        }
      }
    }
    String only = System.getProperty("imker.fault", "");
    points.removeIf(point -> !point.toString().contains(only));
    Collections.shuffle(points, random);
    boolean all = System.getProperty("imker.faults", "").equals("all");
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    int done = 0;
    for (Point point : points) {
      if (!all && System.nanoTime() > end) {
        break;
      }
      play(disk, point);
      done++;
    }
    System.out.printf("seed %d: %d of %d fault points%n", seed, done, points.size());
    assertThat(done).isPositive();
  }
}
