package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.dav.DavPlace;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.SignsOfLife;
import dev.imker.testbase.ExpectedLogs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** A real WebDAV server, and trouble on the way to it. */
@ExpectedLogs("in the drop folder .* waits|Cannot write the reason why")
class DavTroubleTest {
  private static final int MAX_REQUESTS = 400;
  private static final Pattern RESPONSE =
      Pattern.compile("<D:response.*?</D:response>", Pattern.DOTALL);

  private static ApacheDav apache;

  private PaperPool pool = new PaperPool();
  private DavProxy proxy;
  private DavPlaceTest.DavShelf shelf;
  private String name;

  @BeforeAll
  static void serve() throws Exception {
    assumeTrue(Files.isExecutable(ApacheDav.PROGRAM), "Debian's apache2-bin is not installed");
    apache = new ApacheDav();
  }

  @AfterAll
  static void end() throws IOException {
    if (apache != null) {
      apache.close();
    }
  }

  @BeforeEach
  void start(TestInfo test) throws IOException {
    proxy = new DavProxy(apache.address(""));
    fresh(test.getTestMethod().orElseThrow().getName());
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private void fresh(String now) throws IOException {
    name = now;
    pool = new PaperPool();
    Path root = Files.createDirectory(apache.share().resolve(name));
    ApacheDav.open(root);
    shelf = new DavPlaceTest.DavShelf(apache, name, new FolderPlaceTest.DiskShelf(root));
    proxy.trouble(DavProxy.Trouble.NONE);
    open().close();
  }

  private DropPlace open() {
    DavPlace.Pace fast = new DavPlace.Pace(20, 20, SignsOfLife.LOST_MILLIS, 1);
    return DavPlace.open(proxy.address(name), apache.key(), "server-1", fast);
  }

  /** Turns of one server, until it is dead to the folder. */
  private void turns(int count) throws InterruptedException {
    try (DropPlace place = open()) {
      DropKeeper keeper = new DropKeeper(place, pool, pool, Clock.systemUTC(), 0);
      for (int i = 0; i < count; i++) {
        keeper.turn();
      }
    } catch (IOException | dev.imker.model.ImkerException e) {
      return; // it cannot reach the folder any more
    }
  }

  private Map<String, String> files() throws Exception {
    return new TreeMap<>(shelf.files());
  }

  @Test
  void a_move_that_was_done_but_answered_by_an_error_loses_nothing() throws Exception {
    shelf.write("inbox/a.yaml", "work");
    proxy.trouble(
        new DavProxy.Trouble() {
          @Override
          public DavProxy.Reply answer(String method, String path, DavProxy.Reply reply) {
            boolean moved = method.equals("MOVE") && reply.status() == 201;
            return moved ? new DavProxy.Reply(500, new byte[0], false) : reply;
          }
        });
    turns(2);
    proxy.trouble(DavProxy.Trouble.NONE);
    turns(3);
    pool.finishAll();
    turns(2);
    assertThat(pool.submitted()).containsExactly("work");
    assertThat(files())
        .containsOnlyKeys("done/a.yaml", "results/a/out/result.txt")
        .containsEntry("done/a.yaml", "work");
  }

  /** RFC 4918 does not promise that it stays the same. */
  @Test
  void files_are_taken_where_a_move_changes_their_tag() throws Exception {
    shelf.write("inbox/a.yaml", "work");
    proxy.trouble(
        new DavProxy.Trouble() {
          @Override
          public DavProxy.Reply answer(String method, String path, DavProxy.Reply reply) {
            return method.equals("PROPFIND")
                ? new DavProxy.Reply(reply.status(), tagsOfPaths(reply.body()), false)
                : reply;
          }
        });
    turns(2);
    pool.finishAll();
    turns(2);
    assertThat(pool.submitted()).containsExactly("work");
    assertThat(files()).containsOnlyKeys("done/a.yaml", "results/a/out/result.txt");
  }

  private static byte[] tagsOfPaths(byte[] xml) {
    return RESPONSE
        .matcher(new String(xml, StandardCharsets.UTF_8))
        .replaceAll(
            response -> {
              String text = response.group();
              String href = text.replaceAll("(?s).*<D:href>(.*?)</D:href>.*", "$1");
              return text.replaceFirst("getetag>(W/)?\"", "getetag>\"" + href.hashCode() + "-")
                  .replace("$", "\\$");
            })
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void an_answer_that_stops_in_the_middle_is_given_up() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    proxy.trouble(
        new DavProxy.Trouble() {
          @Override
          public DavProxy.Reply answer(String method, String path, DavProxy.Reply reply) {
            boolean stalls = method.equals("PROPFIND") && asked.incrementAndGet() > 0;
            return new DavProxy.Reply(reply.status(), reply.body(), stalls);
          }
        });
    DavPlace.Pace impatient =
        new DavPlace.Pace(20, 20, SignsOfLife.LOST_MILLIS, 1, Duration.ofMillis(300));
    assertThatThrownBy(
            () -> DavPlace.open(proxy.address(name), apache.key(), "server-1", impatient))
        .hasMessageContaining("cannot be reached");
    assertThat(asked).hasValueGreaterThan(1);
  }

  @Test
  void a_file_that_is_too_large_is_told_and_stops_no_other() throws Exception {
    shelf.write("inbox/large.yaml", " ".repeat(DropPlace.MAX_JOB_FILE_BYTES + 1));
    shelf.write("inbox/small.yaml", "work");
    turns(2);
    assertThat(pool.submitted()).containsExactly("work");
    assertThat(shelf.trouble("inbox/large.yaml")).contains("too large for a job file");
  }

  /**
   * The connection ends for good at any request, done or not; then a new server goes on. As a kill
   * in the middle of any step.
   */
  @Test
  void whenever_the_connection_ends_no_file_is_lost_and_none_runs_twice() throws Exception {
    boolean all = System.getProperty("imker.faults", "").equals("all");
    long seed = Long.getLong("imker.seed", System.nanoTime());
    int stride = all ? 1 : 7;
    int last = MAX_REQUESTS;
    for (int request = 1 + new Random(seed).nextInt(stride); request <= last; request += stride) {
      fresh("cut-" + request);
      shelf.write("inbox/a.yaml", "work");
      shelf.write("inbox/b.yaml", "a mistake");
      int cut = request;
      boolean done = request % 2 == 1;
      AtomicInteger count = new AtomicInteger();
      proxy.trouble(
          new DavProxy.Trouble() {
            @Override
            public boolean passes(String method, String path) {
              int now = count.incrementAndGet();
              return now < cut || (done && now == cut);
            }

            @Override
            public DavProxy.Reply answer(String method, String path, DavProxy.Reply reply) {
              return count.get() < cut ? reply : new DavProxy.Reply(-1, new byte[0], false);
            }
          });
      turns(2);
      pool.finishAll();
      turns(2);
      if (count.get() < cut) {
        last = request;
      }
      proxy.trouble(DavProxy.Trouble.NONE);
      turns(3);
      pool.finishAll();
      turns(2);
      assertThat(pool.submitted()).as("seed %d, request %d", seed, cut).containsExactly("work");
      assertThat(pool.items.values())
          .as("seed %d, request %d", seed, cut)
          .noneMatch(DropItem::isOpen);
      assertThat(files())
          .as("seed %d, request %d", seed, cut)
          .containsOnlyKeys(
              "done/a.yaml", "failed/b.yaml", "failed/b.yaml.txt", "results/a/out/result.txt");
    }
    assertThat(last).isBetween(50, MAX_REQUESTS - 1);
  }
}
