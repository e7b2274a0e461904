package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.DropPlace.Claim;
import dev.imker.server.internal.drop.place.ResultTarget;
import dev.imker.server.internal.drop.place.SignsOfLife;
import dev.imker.testbase.ExpectedLogs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people may rely on, whatever a drop folder lies on. */
@ExpectedLogs("in the drop folder .* waits")
abstract class DropPlaceContract {
  private static final int MAX_STEPS = 400;
  private static final boolean ALL = System.getProperty("imker.faults", "").equals("all");

  private final long seed = Long.getLong("imker.seed", System.nanoTime());
  private static final String PROGRESS = ".progress.txt";

  @TempDir Path temporary;

  Shelf shelf;
  PaperPool pool;

  /** An empty one. */
  abstract Shelf shelf(Path folder, String name) throws Exception;

  @BeforeEach
  void start() throws Exception {
    fresh("work");
  }

  private void fresh(String name) throws Exception {
    shelf = shelf(temporary, name);
    pool = new PaperPool();
    shelf.open("server-1", SignsOfLife.LOST_MILLIS).close();
  }

  @AfterEach
  void stop() {
    shelf.close();
  }

  Killing serve(int turns, int killAtStep) throws Exception {
    Killing killing = new Killing(killAtStep);
    try (DropPlace place = shelf.open("server-1", SignsOfLife.LOST_MILLIS)) {
      DropKeeper keeper =
          new DropKeeper(
              killing.wrap(DropPlace.class, place),
              killing.wrap(DropLedger.class, pool),
              killing.wrap(DropWork.class, pool),
              Clock.systemUTC(),
              0);
      for (int i = 0; i < turns; i++) {
        keeper.turn();
      }
    } catch (Killing.Killed e) {
      return killing;
    }
    return killing;
  }

  void run(String path, String text) throws Exception {
    shelf.write("inbox/" + path, text);
    serve(2, 0);
    pool.finishAll();
    serve(2, 0);
  }

  Map<String, String> files() throws Exception {
    Map<String, String> files = new TreeMap<>(shelf.files());
    files.keySet().removeIf(name -> isProgress(name) && files.containsKey(beside(name)));
    return files;
  }

  /** Told of a running file while it runs, and no longer. */
  private static boolean isProgress(String name) {
    return name.startsWith("running/") && name.endsWith(PROGRESS);
  }

  private static String beside(String name) {
    return name.substring(0, name.length() - PROGRESS.length());
  }

  @Test
  void results_that_are_named_alike_do_not_replace_each_other() throws Exception {
    run("a.yaml", "work twice");
    assertThat(files())
        .containsOnlyKeys("done/a.yaml", "results/a/out/result.txt", "results/a/out/result-2.txt");
  }

  @Test
  void a_file_goes_its_way_and_its_results_come() throws Exception {
    shelf.write("inbox/a.yaml", "work");
    serve(2, 0);
    assertThat(files()).containsExactly(Map.entry("running/a.yaml", "work"));
    pool.finishAll();
    serve(1, 0);
    assertThat(files())
        .containsExactly(
            Map.entry("done/a.yaml", "work"),
            Map.entry("results/a/out/result.txt", "result of work"));
  }

  @Test
  void a_failure_is_told_beside_the_file() throws Exception {
    run("b.yaml", "work that fails");
    run("c.yaml", "a mistake");
    assertThat(files())
        .containsOnlyKeys(
            "failed/b.yaml",
            "failed/b.yaml.txt",
            "results/b/out/result.txt",
            "failed/c.yaml",
            "failed/c.yaml.txt")
        .hasEntrySatisfying("failed/c.yaml.txt", text -> assertThat(text).contains("a mistake"));
    shelf.move("failed/c.yaml", "inbox/c.yaml");
    shelf.write("inbox/c.yaml", "work");
    serve(2, 0);
    pool.finishAll();
    serve(1, 0);
    assertThat(files()).containsKey("done/c.yaml").doesNotContainKey("failed/c.yaml.txt");
  }

  @Test
  void taking_a_running_file_away_cancels_it_and_putting_it_back_runs_it_again() throws Exception {
    shelf.write("inbox/a.yaml", "work");
    shelf.write("inbox/b.yaml", "other work");
    serve(2, 0);
    shelf.move("running/a.yaml", "inbox/a.yaml");
    shelf.remove("running/b.yaml");
    serve(3, 0);
    assertThat(pool.cancelled).hasSize(2);
    assertThat(pool.submitted()).containsExactlyInAnyOrder("work", "other work", "work");
    assertThat(files()).containsOnlyKeys("running/a.yaml");
  }

  @Test
  void the_trouble_with_one_file_is_told_and_no_other_suffers() throws Exception {
    shelf.write("inbox/a.yaml", "bad");
    shelf.write("inbox/b.yaml", "good");
    try (DropPlace place = shelf.open("server-1", SignsOfLife.LOST_MILLIS)) {
      DropKeeper keeper =
          new DropKeeper(failing(place, "results", "path=a"), pool, pool, Clock.systemUTC(), 0);
      for (int i = 0; i < 3; i++) {
        keeper.turn();
        pool.finishAll();
      }
      assertThat(keeper.trouble()).contains("no room");
    }
    assertThat(files()).containsKeys("done/b.yaml", "results/b/out/result.txt");
    assertThat(shelf.trouble("running/a.yaml")).contains("no room");
  }

  private static DropPlace failing(DropPlace place, String method, String name) {
    return (DropPlace)
        Proxy.newProxyInstance(
            DropPlace.class.getClassLoader(),
            new Class<?>[] {DropPlace.class},
            (_, called, arguments) -> {
              if (called.getName().equals(method) && Arrays.toString(arguments).contains(name)) {
                throw new IOException("no room");
              }
              try {
                return called.invoke(place, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void whenever_the_server_dies_no_file_is_lost_and_none_runs_twice() throws Exception {
    int stride = ALL ? 1 : stride();
    int first = 1 + new Random(seed).nextInt(stride);
    int last = MAX_STEPS;
    for (int step = first; step <= last; step += stride) {
      shelf.close();
      fresh("kill-" + step);
      shelf.write("inbox/a.yaml", "work");
      Killing killing = serve(2, step);
      pool.finishAll();
      int left = step > killing.steps() ? step - killing.steps() : 0;
      Killing second = serve(2, left);
      serve(2, 0);
      pool.finishAll();
      serve(2, 0);
      assertThat(pool.submitted()).as("seed %d, step %d", seed, step).containsExactly("work");
      assertThat(pool.items.values())
          .as("seed %d, step %d", seed, step)
          .noneMatch(DropItem::isOpen);
      assertThat(pool.cancelled).as("seed %d, step %d", seed, step).isEmpty();
      assertThat(files())
          .as("seed %d, step %d", seed, step)
          .containsExactly(
              Map.entry("done/a.yaml", "work"),
              Map.entry("results/a/out/result.txt", "result of work"));
      if (step > killing.steps() + second.steps()) {
        last = step;
      }
    }
    assertThat(last).isBetween(20, MAX_STEPS - 1);
  }

  /** Every so many of the steps is tried, from a random one on; with -Dimker.faults=all each. */
  int stride() {
    return 1;
  }

  @Test
  void half_of_the_results_is_never_seen() throws Exception {
    shelf.write("inbox/a.yaml", "work");
    serve(2, 0);
    try (DropPlace place = shelf.open("server-1", SignsOfLife.LOST_MILLIS);
        ResultTarget target =
            place.results(new Claim(pool.items.keySet().iterator().next(), "a.yaml"))) {
      target.put(
          "half.txt", new ByteArrayInputStream("half".getBytes(StandardCharsets.UTF_8)), false);
    }
    assertThat(files()).containsOnlyKeys("running/a.yaml");
  }
}
