package dev.imker.server.internal.drop.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.DropPlace.Claim;
import dev.imker.server.internal.drop.place.DropPlace.Showing;
import dev.imker.server.internal.drop.place.DropPlace.Waiting;
import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A drop folder on Drive, spoken to with Google's own client. */
class DrivePlaceTest {
  private static final DrivePlace.Pace FAST = new DrivePlace.Pace(0, 50, 50, 600_000, 1);

  @TempDir Path temporary;
  private GoogleStandIn google;
  private String root = "";

  @BeforeEach
  void start() throws Exception {
    google = new GoogleStandIn();
    root = google.drive.add("", "work", DriveFiles.FOLDER, "").meta.path("id").asText();
  }

  @AfterEach
  void stop() {
    google.close();
  }

  private DrivePlace open(String server) throws Exception {
    return DrivePlace.open(root, google.key(temporary), server, google.roots(), FAST);
  }

  private void document(String name, String text) {
    google.drive.add(google.drive.folder(root, "inbox"), name, DriveFiles.DOCUMENT, text);
  }

  private static Claim take(DropPlace place, String id) throws Exception {
    Waiting waiting = place.inbox().waiting().getFirst();
    assertThat(place.claim(id, waiting)).isTrue();
    return new Claim(id, waiting.path());
  }

  private static void put(ResultTarget target, String path, String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    target.put(path, new ByteArrayInputStream(bytes), false);
  }

  @Test
  void a_document_goes_its_way_and_its_tables_become_sheets() throws Exception {
    DrivePlace place = open("one");
    document("Golden cross", "kind: backtest\nname: \u201cGolden\u201d\n");
    Claim claim = take(place, "item-1");
    assertThat(place.inbox().waiting()).isEmpty();
    assertThat(place.claims()).containsExactly(claim);
    assertThat(place.read(claim).map(b -> new String(b, StandardCharsets.UTF_8)))
        .contains("kind: backtest\nname: \"Golden\"\n");
    assertThat(place.showRunning(claim)).isEqualTo(Showing.SHOWN);
    assertThat(place.showRunning(claim)).isEqualTo(Showing.SHOWN);
    assertThat(place.isRunning("Golden cross")).isTrue();
    place.showProgress("Golden cross", "half");
    for (int i = 0; i < 2; i++) {
      try (ResultTarget target = place.results(claim)) {
        put(target, "summary.csv", "market,return\n\"A, B\",0.25\n");
        put(target, "trades.csv", "market\nA\n");
        put(target, "pictures/a.svg", "<svg/>");
        target.finish();
      }
      place.showEnd(claim, new byte[0], "");
    }
    assertThat(google.drive.tree(root))
        .containsOnlyKeys(
            "done/Golden cross",
            "results/Golden cross/Golden cross",
            "results/Golden cross/summary.csv",
            "results/Golden cross/trades.csv",
            "results/Golden cross/pictures/a.svg");
    StandInDrive.Item sheet = google.drive.at(root, "results/Golden cross/Golden cross");
    assertThat(sheet.sheets).containsOnlyKeys("summary", "trades");
    assertThat(sheet.sheets.get("summary"))
        .hasToString("[[\"market\",\"return\"],[\"A, B\",0.25]]");
    assertThat(place.claims()).isEmpty();
  }

  @Test
  void a_failure_is_told_beside_the_document_and_putting_it_back_makes_it_new() throws Exception {
    DrivePlace place = open("one");
    google.drive.add(google.drive.folder(root, "inbox"), "b.yaml", "text/plain", "command: x\n");
    google.drive.add(google.drive.folder(root, "inbox"), "notes.txt", "text/plain", "notes");
    Claim claim = take(place, "item-1");
    place.showRunning(claim);
    place.showEnd(claim, new byte[0], "it failed");
    assertThat(google.drive.tree(root))
        .containsOnlyKeys("failed/b.yaml", "failed/b.yaml.txt", "inbox/notes.txt");
    assertThat(google.drive.at(root, "failed/b.yaml.txt").content)
        .asString(StandardCharsets.UTF_8)
        .contains("it failed");
    google.drive.move("failed/b.yaml", root, google.drive.folder(root, "inbox"));
    Claim again = take(place, "item-2");
    place.showRunning(again);
    place.showEnd(again, new byte[0], "");
    assertThat(google.drive.tree(root)).containsOnlyKeys("done/b.yaml", "inbox/notes.txt");
  }

  @Test
  void only_one_of_two_servers_gets_a_file() throws Exception {
    DrivePlace one = open("one");
    DrivePlace two = open("two");
    document("a", "command: x\n");
    Waiting seen = one.inbox().waiting().getFirst();
    Waiting alsoSeen = two.inbox().waiting().getFirst();
    assertThat(List.of(one.claim("item-1", seen), two.claim("item-2", alsoSeen)))
        .containsExactly(true, false);
    assertThat(two.claims()).isEmpty();
  }

  @Test
  void a_server_whose_ticket_comes_late_does_not_get_what_another_has() throws Exception {
    DrivePlace slow = open("slow");
    DrivePlace quick = open("quick");
    document("a", "command: x\n");
    Waiting seen = slow.inbox().waiting().getFirst();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch passed = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    google.trouble(
        new GoogleStandIn.Trouble() {
          @Override
          public void before(GoogleStandIn.Call call) {
            if (call.method().equals("POST") && first.getAndSet(false)) {
              asked.countDown();
              awaitQuietly(passed);
            }
          }
        });
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Boolean> late = thread.submit(() -> slow.claim("item-slow", seen));
      asked.await();
      assertThat(quick.claim("item-quick", quick.inbox().waiting().getFirst())).isTrue();
      passed.countDown();
      assertThat(late.get()).isFalse();
    }
    assertThat(quick.claims()).containsExactly(new Claim("item-quick", "a"));
    assertThat(slow.claims()).isEmpty();
    assertThat(google.drive.tree(root)).containsOnlyKeys("inbox/a");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void large_results_come_in_parts_and_go_on_where_they_broke_off() throws Exception {
    DrivePlace place = open("one");
    document("a", "command: x\n");
    Claim claim = take(place, "item-1");
    place.showRunning(claim);
    byte[] large = new byte[12 << 20];
    new Random(7).nextBytes(large);
    google.trouble(GoogleStandIn.every(4));
    try (ResultTarget target = place.results(claim)) {
      target.put("large.bin", new ByteArrayInputStream(large), false);
      target.finish();
    }
    assertThat(google.drive.at(root, "results/a/large.bin").content).isEqualTo(large);
    assertThat(google.drive.largeUploads()).isEqualTo(1);
  }

  @Test
  void a_file_that_is_too_large_is_told_and_stops_no_other() throws Exception {
    DrivePlace place = open("one");
    google.file(root, "inbox/large.yaml", " ".repeat(DropPlace.MAX_JOB_FILE_BYTES + 1));
    google.file(root, "inbox/small.yaml", "command: x\n");
    DropPlace.Inbox inbox = place.inbox();
    assertThat(inbox.waiting()).extracting(DropPlace.Waiting::path).containsExactly("small.yaml");
    assertThat(inbox.unusable().get("large.yaml")).contains("too large for a job file");
  }

  @Test
  void a_description_that_a_person_wrote_stays() throws Exception {
    DrivePlace place = open("one");
    document("a", "command: x\n");
    google.drive.at(root, "inbox/a").meta.put("description", "mine");
    Claim claim = take(place, "item-1");
    place.showRunning(claim);
    place.showProgress("a", "half");
    place.showEnd(claim, new byte[0], "");
    assertThat(google.drive.at(root, "done/a").meta.path("description").asText()).isEqualTo("mine");
  }

  @Test
  void a_file_that_was_put_into_the_trash_is_gone() throws Exception {
    DrivePlace place = open("one");
    document("a", "command: x\n");
    Claim claim = take(place, "item-1");
    place.showRunning(claim);
    google.drive.trash("running/a", root);
    assertThat(place.isRunning("a")).isFalse();
    place.forget(claim);
    assertThat(place.claims()).isEmpty();
  }

  @Test
  void folders_in_the_inbox_are_projects() throws Exception {
    DrivePlace place = open("one");
    String inbox = google.drive.folder(root, "inbox");
    String alpha = google.drive.add(inbox, "alpha", DriveFiles.FOLDER, "").meta.path("id").asText();
    google.drive.add(alpha, "a", DriveFiles.DOCUMENT, "command: x\n");
    Claim claim = take(place, "item-1");
    assertThat(claim.path()).isEqualTo("alpha/a");
    assertThat(place.claims()).containsExactly(claim);
    place.showRunning(claim);
    assertThat(google.drive.tree(root)).containsOnlyKeys("running/alpha/a");
  }

  @Test
  void a_key_that_is_none_is_told_so() throws Exception {
    Path wrong = Files.writeString(temporary.resolve("wrong.json"), "{}");
    assertThatThrownBy(() -> DrivePlace.open(root, wrong, "one", google.roots(), FAST))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("The key of the service account cannot be used");
  }

  /** Pages begin where the one before ended, whatever has left since. */
  @Test
  void a_file_that_a_list_in_pages_misses_is_still_running() throws Exception {
    DrivePlace place = open("one");
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      document("job " + i, "work");
      claims.add(take(place, "item-" + i));
      place.showRunning(claims.getLast());
    }
    String done = google.drive.folder(root, "done");
    google.trouble(
        new GoogleStandIn.Trouble() {
          private final AtomicBoolean moved = new AtomicBoolean();

          @Override
          public void before(GoogleStandIn.Call call) {
            if (call.query().containsKey("pageToken") && moved.compareAndSet(false, true)) {
              google.drive.move("running/job 0", root, done);
            }
          }
        });
    assertThat(claims.subList(1, 5)).allMatch(claim -> isStillRunning(place, claim));
    assertThat(place.isRunning("job 3")).as("what the list says").isFalse();
    assertThat(isStillRunning(place, claims.get(3))).isTrue();
    assertThat(isStillRunning(place, claims.getFirst())).as("moved away").isFalse();
  }

  private static boolean isStillRunning(DrivePlace place, Claim claim) {
    try {
      return place.isStillRunning(claim);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
