package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderPlace;
import dev.imker.server.internal.drop.place.FolderResults;
import dev.imker.server.loop.NotLeadingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder and the database say the same, whenever the server dies. */
class DropKeeperTest {
  private static final int MAX_STEPS = 400;

  @TempDir Path folder;

  private PaperPool pool = new PaperPool();
  private Path root = Path.of("");

  private void fresh(String name) {
    pool = new PaperPool();
    root = folder.resolve(name);
  }

  private void put(String path, String text) throws IOException {
    Path file = root.resolve("inbox").resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Turns of one server, until it dies or has nothing more to do. */
  private Killing serve(int turns, int killAtStep) throws IOException, InterruptedException {
    Killing killing = new Killing(killAtStep);
    try (DropPlace place = FolderPlace.open(root, "server-1")) {
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

  private boolean isMarkOfRunning(String name) {
    int mark = name.indexOf("/shown/");
    return mark >= 0
        && Files.exists(root.resolve("running").resolve(name.substring(mark + "/shown/".length())));
  }

  private Map<String, String> shown() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        all.put(root.relativize(file).toString(), Files.readString(file).strip());
      }
    }
    all.keySet()
        .removeIf(
            name ->
                name.endsWith("/alive")
                    || name.startsWith(".imker/placed/")
                    || name.endsWith(FolderResults.CONTENTS)
                    || isMarkOfRunning(name));
    return all;
  }

  @Test
  void a_file_goes_from_the_inbox_over_running_to_done() throws Exception {
    fresh("way");
    put("a.yaml", "work");
    serve(2, 0);
    assertThat(shown()).containsOnlyKeys("running/a.yaml", "running/a.yaml.progress.txt");
    pool.finishAll();
    serve(1, 0);
    assertThat(shown())
        .containsOnlyKeys("done/a.yaml", "results/a/out/result.txt")
        .containsEntry("results/a/out/result.txt", "result of work");
    put("a.yaml", "work again");
    serve(2, 0);
    pool.finishAll();
    serve(1, 0);
    assertThat(shown())
        .containsOnlyKeys("done/a.yaml", "results/a/out/result.txt")
        .containsEntry("done/a.yaml", "work again")
        .containsEntry("results/a/out/result.txt", "result of work again");
  }

  @Test
  void whenever_the_server_dies_no_file_is_lost_none_runs_twice_and_both_sides_agree()
      throws Exception {
    int last = MAX_STEPS;
    for (int step = 1; step <= last; step++) {
      fresh("kill-" + step);
      put("a.yaml", "work");
      put("alpha/b.yaml", "work that fails");
      put("c.yaml", "a mistake");
      Killing first = serve(3, step);
      pool.finishAll();
      Killing second = serve(2, step > first.steps() ? step - first.steps() : 0);
      serve(3, 0);
      pool.finishAll();
      serve(3, 0);
      assertConsistent(step);
      if (step > first.steps() + second.steps()) {
        last = step;
      }
    }
    assertThat(last).isBetween(60, MAX_STEPS - 1);
  }

  private void assertConsistent(int step) throws IOException {
    assertThat(pool.submitted())
        .as("step " + step)
        .containsExactlyInAnyOrder("work", "work that fails");
    assertThat(pool.items.values()).as("step " + step).noneMatch(DropItem::isOpen);
    assertThat(pool.cancelled).as("step " + step).isEmpty();
    assertThat(shown())
        .as("step " + step)
        .containsOnlyKeys(
            "done/a.yaml",
            "results/a/out/result.txt",
            "failed/alpha/b.yaml",
            "failed/alpha/b.yaml.txt",
            "results/alpha/b/out/result.txt",
            "failed/c.yaml",
            "failed/c.yaml.txt")
        .containsEntry("failed/c.yaml.txt", "line 1: a mistake")
        .containsEntry("failed/alpha/b.yaml.txt", "it failed");
  }

  @Test
  void whenever_the_server_dies_a_withdrawn_file_is_cancelled() throws Exception {
    int steps = MAX_STEPS;
    for (int step = 1; step <= steps; step++) {
      fresh("withdraw-" + step);
      put("a.yaml", "work");
      serve(2, 0);
      Files.delete(root.resolve("running/a.yaml"));
      Killing killing = serve(2, step);
      serve(2, 0);
      assertThat(pool.cancelled).as("step " + step).hasSize(1);
      assertThat(pool.items.values())
          .as("step " + step)
          .allMatch(item -> item.state() == DropItem.State.WITHDRAWN && !item.isOpen());
      assertThat(shown()).as("step " + step).isEmpty();
      if (step > killing.steps()) {
        steps = step;
      }
    }
    assertThat(steps).isLessThan(MAX_STEPS);
  }

  /** It stands still at every step, and wakes up when its successor has done everything. */
  @Test
  void a_server_that_leads_no_longer_moves_nothing() throws Exception {
    int steps = MAX_STEPS;
    for (int step = 1; step <= steps; step++) {
      fresh("deposed-" + step);
      put("a.yaml", "work");
      serve(2, 0);
      pool.finishAll();
      Map<String, String> after = new TreeMap<>();
      AtomicBoolean leads = new AtomicBoolean(true);
      Killing standstill =
          new Killing(
              step,
              _ -> {
                leads.set(false);
                serve(3, 0);
                put("a.yaml", "work again");
                serve(2, 0);
                after.putAll(shown());
              });
      serveUntilDeposed(standstill, leads);
      if (step > standstill.steps()) {
        steps = step;
      } else {
        assertThat(shown())
            .as("step " + step)
            .isEqualTo(after)
            .containsEntry("running/a.yaml", "work again");
      }
    }
    assertThat(steps).isBetween(20, MAX_STEPS - 1);
  }

  private void serveUntilDeposed(Killing standstill, AtomicBoolean leads) throws Exception {
    Runnable fence =
        () -> {
          if (!leads.get()) {
            throw new NotLeadingException();
          }
        };
    DropLedger ledger =
        new DropLedger() {
          @Override
          public Optional<DropItem> item(String id) {
            return pool.item(id);
          }

          @Override
          public List<DropItem> open(String place) {
            return pool.open(place);
          }

          @Override
          public void put(DropItem item) {
            fence.run();
            pool.put(item);
          }
        };
    try (DropPlace place = FolderPlace.open(root, "server-1")) {
      DropKeeper keeper =
          new DropKeeper(
              standstill.wrap(DropPlace.class, new FencedPlace(place, fence)),
              standstill.wrap(DropLedger.class, ledger),
              standstill.wrap(DropWork.class, pool),
              Clock.systemUTC(),
              0);
      keeper.turn();
      keeper.turn();
    } catch (NotLeadingException e) {
      assertThat(leads).isFalse();
    }
  }

  @Test
  void a_running_file_put_back_into_the_inbox_is_cancelled_and_runs_again() throws Exception {
    fresh("back");
    put("a.yaml", "work");
    serve(2, 0);
    Files.move(root.resolve("running/a.yaml"), root.resolve("inbox/a.yaml"));
    serve(3, 0);
    assertThat(pool.cancelled).hasSize(1);
    assertThat(pool.submitted()).containsExactly("work", "work");
    assertThat(shown()).containsKey("running/a.yaml");
  }

  @Test
  void a_second_file_of_the_same_name_waits_for_the_first() throws Exception {
    fresh("twice");
    put("a.yaml", "first");
    serve(2, 0);
    put("a.yaml", "second");
    serve(2, 0);
    assertThat(shown()).containsEntry("inbox/a.yaml", "second").containsKey("running/a.yaml");
    pool.finishAll();
    serve(2, 0);
    assertThat(shown()).containsEntry("done/a.yaml", "first");
    assertThat(pool.submitted()).containsExactly("first", "second");
  }

  @Test
  void files_that_are_no_job_files_stay_where_they_are() throws Exception {
    fresh("others");
    put("data.csv", "1,2");
    put("half.yaml.part", "wo");
    put(".hidden.yaml", "wo");
    put("alpha/deep/c.yaml", "wo");
    serve(2, 0);
    assertThat(pool.items).isEmpty();
    assertThat(shown()).hasSize(4);
  }

  @Test
  void a_file_is_taken_only_when_it_has_not_changed_for_a_while() {
    Settled settled = new Settled(1000);
    long second = 1_000_000_000;
    DropPlace.Waiting half = new DropPlace.Waiting("a.yaml", "3 bytes");
    DropPlace.Waiting whole = new DropPlace.Waiting("a.yaml", "9 bytes");
    assertThat(settled.of(List.of(half), 0)).isEmpty();
    assertThat(settled.of(List.of(whole), 2 * second)).isEmpty();
    assertThat(settled.of(List.of(whole), 2 * second + second / 2)).isEmpty();
    assertThat(settled.of(List.of(whole), 3 * second)).containsExactly(whole);
    assertThat(settled.of(List.of(), 4 * second)).isEmpty();
    assertThat(settled.of(List.of(whole), 9 * second)).isEmpty();
  }

  @Test
  void a_file_that_changed_after_it_was_looked_at_is_not_taken() throws Exception {
    fresh("changed");
    put("a.yaml", "wo");
    try (DropPlace place = FolderPlace.open(root, "server-1")) {
      DropPlace.Waiting seen = place.inbox().waiting().getFirst();
      put("a.yaml", "work");
      assertThat(place.claim("id", seen)).isFalse();
      assertThat(shown()).containsOnlyKeys("inbox/a.yaml");
    }
  }
}
