package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.drive.DrivePlace;
import dev.imker.server.internal.drop.drive.GoogleStandIn;
import dev.imker.server.internal.drop.place.DropPlace;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder on Drive and the database say the same, whenever the server dies. */
class DriveCrashTest {
  private static final DrivePlace.Pace FAST = new DrivePlace.Pace(0, 50, 50, 600_000);
  private static final int MAX_STEPS = 300;

  @TempDir Path temporary;

  /** Two turns, then all work is finished, then two more; or until it dies. */
  private Killing serve(GoogleStandIn google, String root, PaperPool pool, int killAtStep)
      throws Exception {
    Killing killing = new Killing(killAtStep);
    try (DropPlace place =
        DrivePlace.open(root, google.key(temporary), "server-1", google.roots(), FAST)) {
      DropKeeper keeper =
          new DropKeeper(
              killing.wrap(DropPlace.class, place),
              killing.wrap(DropLedger.class, pool),
              killing.wrap(DropWork.class, pool),
              Clock.systemUTC(),
              0);
      for (int turn = 0; turn < 4; turn++) {
        if (turn == 2) {
          pool.finishAll();
        }
        keeper.turn();
      }
    } catch (Killing.Killed e) {
      return killing;
    }
    return killing;
  }

  @Test
  void whenever_the_server_dies_no_document_is_lost_and_none_runs_twice() throws Exception {
    try (GoogleStandIn google = new GoogleStandIn()) {
      int last = MAX_STEPS;
      for (int step = 1; step <= last; step++) {
        String root = google.folder("work-" + step);
        PaperPool pool = new PaperPool();
        google.prepare(root);
        google.document(root, "a", "work");
        Killing killing = serve(google, root, pool, step);
        serve(google, root, pool, 0);
        assertThat(pool.submitted()).as("step " + step).containsExactly("work");
        assertThat(pool.items.values()).as("step " + step).noneMatch(DropItem::isOpen);
        assertThat(pool.cancelled).as("step " + step).isEmpty();
        assertThat(google.names(root))
            .as("step " + step)
            .contains("done/a", "results/a/out/result.txt")
            .noneMatch(name -> name.startsWith("inbox/") || name.startsWith("running/"));
        if (step > killing.steps()) {
          last = step;
        }
      }
      assertThat(last).isBetween(20, MAX_STEPS - 1);
    }
  }

  @Test
  void files_of_a_server_that_never_comes_back_are_taken_over_by_another() throws Exception {
    try (GoogleStandIn google = new GoogleStandIn()) {
      String root = google.folder("work");
      google.prepare(root);
      PaperPool lost = new PaperPool();
      PaperPool other = new PaperPool();
      google.document(root, "a", "work a");
      DropKeeper keeper = keeper(open(google, root, "first", FAST), lost);
      keeper.turn();
      keeper.turn();
      google.document(root, "b", "work b");
      DropPlace first = open(google, root, "first", FAST);
      first.claim("half-way", first.inbox().waiting().getFirst());
      assertThat(google.names(root)).containsExactlyInAnyOrder("running/a", "inbox/b");
      DropKeeper successor =
          keeper(open(google, root, "second", new DrivePlace.Pace(0, 50, 50, 30)), other);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                successor.turn();
                return other.submitted().size() == 2;
              });
      keeper(open(google, root, "first", FAST), lost).turn();
      assertThat(lost.submitted()).containsExactly("work a");
      assertThat(lost.cancelled).hasSize(1);
      assertThat(lost.items.values()).noneMatch(DropItem::isOpen);
      other.finishAll();
      successor.turn();
      successor.turn();
      assertThat(other.submitted()).containsExactlyInAnyOrder("work a", "work b");
      assertThat(google.names(root))
          .containsExactlyInAnyOrder(
              "done/a", "done/b", "results/a/out/result.txt", "results/b/out/result.txt");
    }
  }

  private DropPlace open(GoogleStandIn google, String root, String server, DrivePlace.Pace pace)
      throws Exception {
    return DrivePlace.open(root, google.key(temporary), server, google.roots(), pace);
  }

  private static DropKeeper keeper(DropPlace place, PaperPool pool) {
    return new DropKeeper(place, pool, pool, Clock.systemUTC(), 0);
  }
}
