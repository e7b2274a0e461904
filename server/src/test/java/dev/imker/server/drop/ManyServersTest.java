package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderPlace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several servers watch the same folder. */
class ManyServersTest {
  private static final int SERVERS = 4;
  private static final int FILES = 150;

  @TempDir Path folder;

  @Test
  void each_file_is_taken_by_exactly_one_of_many_servers() throws Exception {
    List<PaperPool> pools = new ArrayList<>();
    List<Callable<Integer>> servers = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      PaperPool pool = new PaperPool();
      pools.add(pool);
      FolderPlace place = FolderPlace.open(folder, "server-" + i);
      DropKeeper keeper = new DropKeeper(place, pool, pool, Clock.systemUTC(), 0);
      servers.add(
          () -> {
            int turns = 0;
            while (turns < 1000 && anyWaiting()) {
              keeper.turn();
              turns++;
            }
            pool.finishAll();
            keeper.turn();
            keeper.turn();
            place.close();
            return turns;
          });
    }
    for (int i = 0; i < FILES; i++) {
      Files.writeString(folder.resolve("inbox/job-%03d.yaml".formatted(i)), "work " + i);
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(SERVERS)) {
      for (Future<Integer> server : threads.invokeAll(servers)) {
        assertThat(server.get()).isLessThan(1000);
      }
    }
    List<String> all = pools.stream().flatMap(pool -> pool.submitted().stream()).toList();
    assertThat(all)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, FILES).mapToObj(i -> "work " + i).toList());
    try (Stream<Path> done = Files.list(folder.resolve("done"))) {
      assertThat(done).hasSize(FILES);
    }
  }

  @Test
  void files_of_a_server_that_never_comes_back_are_taken_over_by_another() throws Exception {
    PaperPool lost = new PaperPool();
    PaperPool other = new PaperPool();
    DropPlace first = FolderPlace.open(folder, "first");
    DropKeeper keeper = new DropKeeper(first, lost, lost, Clock.systemUTC(), 0);
    Files.writeString(folder.resolve("inbox/a.yaml"), "work a");
    keeper.turn();
    keeper.turn();
    Files.writeString(folder.resolve("inbox/b.yaml"), "work b");
    first.claim("half-way", first.inbox().waiting().getFirst());
    assertThat(folder.resolve("running/a.yaml")).exists();
    first.close();
    try (DropPlace second = FolderPlace.open(folder, "second", 20)) {
      DropKeeper successor = new DropKeeper(second, other, other, Clock.systemUTC(), 0);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                successor.turn();
                return other.submitted().size() == 2;
              });
      other.finishAll();
      successor.turn();
      successor.turn();
    }
    assertThat(other.submitted()).containsExactlyInAnyOrder("work a", "work b");
    assertThat(folder.resolve("done/a.yaml")).hasContent("work a");
    assertThat(folder.resolve("running/a.yaml")).doesNotExist();
    try (DropPlace back = FolderPlace.open(folder, "first")) {
      new DropKeeper(back, lost, lost, Clock.systemUTC(), 0).turn();
    }
    assertThat(lost.cancelled).hasSize(1);
    assertThat(lost.items.values()).noneMatch(DropItem::isOpen);
    assertThat(folder.resolve("done/b.yaml")).hasContent("work b");
  }

  private boolean anyWaiting() throws java.io.IOException {
    try (Stream<Path> inbox = Files.list(folder.resolve("inbox"))) {
      return inbox.findAny().isPresent();
    }
  }
}
