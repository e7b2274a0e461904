package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.SignsOfLife;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What people may rely on besides where a place is a folder that several servers may use. */
abstract class SharedPlaceContract extends DropPlaceContract {
  private static final int SERVERS = 3;
  private static final int FILES = 9;

  @Test
  void a_second_file_of_the_same_name_waits_for_the_first() throws Exception {
    shelf.write("inbox/a.yaml", "first");
    serve(2, 0);
    shelf.write("inbox/a.yaml", "second");
    serve(2, 0);
    assertThat(files()).containsOnlyKeys("running/a.yaml", "inbox/a.yaml");
    pool.finishAll();
    serve(2, 0);
    assertThat(pool.submitted()).containsExactly("first", "second");
  }

  @Test
  void names_may_hold_whatever_people_type() throws Exception {
    String name = "Größe 100% & 'x' #1+2 ; it?.yaml";
    run("ein Projekt/" + name, "work");
    assertThat(files())
        .containsOnlyKeys(
            "done/ein Projekt/" + name,
            "results/ein Projekt/" + name.replace(".yaml", "") + "/out/result.txt");
  }

  @Test
  void what_a_person_put_or_changed_there_is_neither_removed_nor_replaced() throws Exception {
    shelf.write("results/a", "mine");
    run("a.yaml", "work");
    assertThat(files())
        .containsEntry("results/a", "mine")
        .containsEntry("results/a.yaml/out/result.txt", "result of work");
    shelf.write("results/a.yaml/out/result.txt", "edited");
    run("a.yaml", "work again");
    shelf.write("results/a.yaml-2/notes.txt", "notes");
    run("a.yaml", "third");
    run("a.yaml", "fourth");
    assertThat(files())
        .containsEntry("results/a.yaml/out/result.txt", "edited")
        .containsEntry("results/a.yaml-2/out/result.txt", "result of work again")
        .containsEntry("results/a.yaml-2/notes.txt", "notes")
        .containsEntry("results/a.yaml-3/out/result.txt", "result of fourth");
  }

  @Test
  void results_of_projects_and_of_files_named_alike_do_not_meet() throws Exception {
    run("alpha/rain.yaml", "rain");
    run("alpha.yaml", "alpha");
    run("same.yaml", "one");
    run("same.yml", "other");
    assertThat(files())
        .containsEntry("results/alpha/rain/out/result.txt", "result of rain")
        .containsEntry("results/alpha.yaml/out/result.txt", "result of alpha")
        .containsEntry("results/same/out/result.txt", "result of one")
        .containsEntry("results/same.yml/out/result.txt", "result of other");
  }

  @Test
  void own_files_in_done_and_failed_stay() throws Exception {
    shelf.write("failed/c.yaml.txt", "mine");
    shelf.write("done/c.yaml", "mine too");
    run("c.yaml", "a mistake");
    assertThat(files())
        .containsEntry("failed/c.yaml.txt", "mine")
        .containsEntry("done/c.yaml", "mine too")
        .containsValue("a mistake");
    run("d.yaml", "work");
    shelf.write("done/d.yaml", "edited");
    run("d.yaml", "work");
    assertThat(files()).containsValue("edited");
  }

  @Test
  void each_file_is_taken_by_exactly_one_of_several_servers() throws Exception {
    for (int i = 0; i < FILES; i++) {
      shelf.write("inbox/job-%d.yaml".formatted(i), "work " + i);
    }
    List<PaperPool> pools = new ArrayList<>();
    List<Callable<Void>> servers = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      PaperPool own = new PaperPool();
      pools.add(own);
      DropPlace place = shelf.open("server-" + i, SignsOfLife.LOST_MILLIS);
      DropKeeper keeper = new DropKeeper(place, own, own, Clock.systemUTC(), 0);
      servers.add(
          () -> {
            await()
                .atMost(Duration.ofSeconds(60))
                .until(
                    () -> {
                      keeper.turn();
                      own.finishAll();
                      return place.inbox().waiting().isEmpty()
                          && place.claims().isEmpty()
                          && own.items.values().stream().noneMatch(DropItem::isOpen);
                    });
            place.close();
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(SERVERS)) {
      for (Future<Void> server : threads.invokeAll(servers)) {
        server.get();
      }
    }
    assertThat(pools.stream().flatMap(own -> own.submitted().stream()))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, FILES).mapToObj(i -> "work " + i).toList());
    assertThat(files().keySet().stream().filter(name -> name.startsWith("done/"))).hasSize(FILES);
  }

  @Test
  void files_of_a_lost_server_and_newer_ones_of_their_names_run_both() throws Exception {
    shelf.write("inbox/a.yaml", "work a");
    serve(2, 0);
    shelf.write("inbox/b.yaml", "work b");
    try (DropPlace first = shelf.open("server-1", SignsOfLife.LOST_MILLIS)) {
      assertThat(first.claim("half-way", first.inbox().waiting().getFirst())).isTrue();
    }
    List<String> expected = new ArrayList<>(List.of("work a", "work b", "newer a"));
    shelf.write("inbox/a.yaml", "newer a");
    if (!files().containsKey("inbox/b.yaml")) { // where a claimed file is out of sight
      shelf.write("inbox/b.yaml", "newer b");
      expected.add("newer b");
    }
    PaperPool other = new PaperPool();
    try (DropPlace second = shelf.open("server-2", 20)) {
      DropKeeper successor = new DropKeeper(second, other, other, Clock.systemUTC(), 0);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                successor.turn();
                other.finishAll();
                return other.submitted().size() == expected.size()
                    && other.items.values().stream().noneMatch(DropItem::isOpen);
              });
    }
    assertThat(other.submitted()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(files().keySet()).noneMatch(name -> name.startsWith("running/"));
  }

  /** As long as writing results takes, another server must not take it for lost. */
  @Test
  void a_server_that_is_busy_for_long_keeps_its_files() throws Exception {
    long lostMillis = 1_500;
    shelf.write("inbox/a.yaml", "work");
    serve(2, 0);
    pool.finishAll();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    pool.beforeResults =
        () -> {
          busy.countDown();
          looked.await();
        };
    PaperPool other = new PaperPool();
    DropPlace first = shelf.open("server-1", lostMillis);
    DropKeeper keeper = new DropKeeper(first, pool, pool, Clock.systemUTC(), 0);
    try (DropThread thread = new DropThread("a", () -> first, _ -> keeper);
        DropPlace second = shelf.open("server-2", lostMillis)) {
      thread.start();
      busy.await();
      DropKeeper waiting = new DropKeeper(second, other, other, Clock.systemUTC(), 0);
      long untilNanos = System.nanoTime() + Duration.ofMillis(3 * lostMillis).toNanos();
      while (System.nanoTime() < untilNanos) {
        waiting.turn();
        second.awaitChange(second.soonMillis());
      }
      looked.countDown();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> pool.items.values().stream().noneMatch(DropItem::isOpen));
    } finally {
      looked.countDown();
    }
    assertThat(other.submitted()).isEmpty();
    assertThat(pool.cancelled).isEmpty();
    assertThat(files()).containsOnlyKeys("done/a.yaml", "results/a/out/result.txt");
  }

  @Test
  void files_of_a_server_that_never_comes_back_are_taken_over() throws Exception {
    shelf.write("inbox/a.yaml", "work a");
    serve(2, 0);
    shelf.write("inbox/b.yaml", "work b");
    try (DropPlace first = shelf.open("server-1", SignsOfLife.LOST_MILLIS)) {
      assertThat(first.claim("half-way", first.inbox().waiting().getFirst())).isTrue();
      assertThat(first.inbox().waiting()).isEmpty();
    }
    PaperPool other = new PaperPool();
    try (DropPlace second = shelf.open("server-2", 20)) {
      DropKeeper successor = new DropKeeper(second, other, other, Clock.systemUTC(), 0);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                successor.turn();
                return other.submitted().size() == 2;
              });
      serve(1, 0);
      assertThat(pool.cancelled).hasSize(1);
      other.finishAll();
      successor.turn();
      successor.turn();
    }
    assertThat(other.submitted()).containsExactlyInAnyOrder("work a", "work b");
    assertThat(files())
        .containsOnlyKeys(
            "done/a.yaml", "done/b.yaml", "results/a/out/result.txt", "results/b/out/result.txt");
  }
}
