package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.account.DropItem;
import dev.imker.server.drop.drive.DrivePlace;
import dev.imker.server.drop.drive.GoogleStandIn;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder on Drive and the database say the same, whenever the server dies. */
class DriveCrashTest {
  private static final DrivePlace.Pace FAST = new DrivePlace.Pace(0, 50, 50);
  private static final int MOST_STEPS = 300;

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
      int last = MOST_STEPS;
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
      assertThat(last).isBetween(20, MOST_STEPS - 1);
    }
  }
}
