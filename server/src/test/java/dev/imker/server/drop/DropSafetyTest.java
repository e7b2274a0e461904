package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderPlace;
import dev.imker.testbase.ExpectedLogs;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Imker did not write stays, and the trouble with one file is no other's. */
@ExpectedLogs("in the drop folder .* waits")
class DropSafetyTest {
  @TempDir Path root;

  private final PaperPool pool = new PaperPool();
  private DropPlace place;

  @BeforeEach
  void open() {
    place = FolderPlace.open(root, "server-1");
  }

  @AfterEach
  void close() {
    place.close();
  }

  private DropKeeper keeper(DropPlace of) {
    return new DropKeeper(of, pool, pool, Clock.systemUTC(), 0);
  }

  private void run(String path, String text) throws Exception {
    put(path, text);
    DropKeeper keeper = keeper(place);
    for (int i = 0; i < 3; i++) {
      keeper.turn();
      pool.finishAll();
    }
  }

  private void put(String path, String text) throws IOException {
    Path file = root.resolve("inbox").resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String result(String path) throws IOException {
    return Files.readString(root.resolve("results").resolve(path));
  }

  @Test
  void results_of_a_project_survive_a_file_that_is_named_like_it() throws Exception {
    run("alpha/rain.yaml", "rain");
    run("alpha.yaml", "alpha");
    assertThat(result("alpha/rain/out/result.txt")).isEqualTo("result of rain");
    assertThat(result("alpha.yaml/out/result.txt")).isEqualTo("result of alpha");
    run("alpha.yaml", "alpha again");
    assertThat(result("alpha.yaml/out/result.txt")).isEqualTo("result of alpha again");
    assertThat(root.resolve("results/alpha.yaml-2")).doesNotExist();
  }

  @Test
  void results_of_a_project_inside_those_of_a_file_survive_newer_ones() throws Exception {
    run("alpha.yaml", "alpha");
    run("alpha/rain.yaml", "rain");
    run("alpha.yaml", "alpha again");
    assertThat(result("alpha/rain/out/result.txt")).isEqualTo("result of rain");
    assertThat(result("alpha/out/result.txt")).isEqualTo("result of alpha");
    assertThat(result("alpha.yaml/out/result.txt")).isEqualTo("result of alpha again");
  }

  @Test
  void files_that_differ_only_in_their_extension_have_results_of_their_own() throws Exception {
    run("same.yaml", "one");
    run("same.yml", "other");
    assertThat(result("same/out/result.txt")).isEqualTo("result of one");
    assertThat(result("same.yml/out/result.txt")).isEqualTo("result of other");
  }

  @Test
  void what_a_person_put_or_changed_there_is_never_replaced() throws Exception {
    Files.writeString(root.resolve("results/a"), "mine");
    run("a.yaml", "work");
    assertThat(result("a")).isEqualTo("mine");
    assertThat(result("a.yaml/out/result.txt")).isEqualTo("result of work");
    Files.writeString(root.resolve("results/a.yaml/notes.txt"), "notes");
    run("a.yaml", "work again");
    assertThat(result("a.yaml/notes.txt")).isEqualTo("notes");
    assertThat(result("a.yaml/out/result.txt")).isEqualTo("result of work");
    assertThat(result("a.yaml-2/out/result.txt")).isEqualTo("result of work again");
    Files.writeString(root.resolve("results/a.yaml-2/out/result.txt"), "edited");
    run("a.yaml", "third");
    assertThat(result("a.yaml-2/out/result.txt")).isEqualTo("edited");
    assertThat(result("a.yaml-3/out/result.txt")).isEqualTo("result of third");
  }

  @Test
  void an_empty_folder_that_a_person_made_is_not_replaced() throws Exception {
    Files.createDirectories(root.resolve("results/a"));
    run("a.yaml", "work");
    assertThat(root.resolve("results/a")).isEmptyDirectory();
    assertThat(result("a.yaml/out/result.txt")).isEqualTo("result of work");
  }

  // ---------------------------------------------------------------- trouble of single files

  /** The same place, which fails when something is done with a file of this name. */
  private DropPlace failingFor(String method, String name) {
    return (DropPlace)
        Proxy.newProxyInstance(
            DropPlace.class.getClassLoader(),
            new Class<?>[] {DropPlace.class},
            (_, called, arguments) -> {
              if (called.getName().equals(method) && List.of(arguments).toString().contains(name)) {
                throw new AccessDeniedException("/share/" + name);
              }
              try {
                return called.invoke(place, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void assertOnlyOneSuffers(String method, String beside) throws Exception {
    put("a.yaml", "bad");
    put("b.yaml", "good");
    put("z/c.yaml", "good too");
    DropKeeper keeper = keeper(failingFor(method, "a.yaml"));
    for (int i = 0; i < 3; i++) {
      keeper.turn();
      pool.finishAll();
    }
    assertThat(result("b/out/result.txt")).isEqualTo("result of good");
    assertThat(result("z/c/out/result.txt")).isEqualTo("result of good too");
    assertThat(root.resolve("done/b.yaml")).exists();
    assertThat(keeper.trouble()).contains("a.yaml").contains("may not access /share/a.yaml");
    assertThat(root.resolve(beside)).content().contains("may not access /share/a.yaml");
  }

  @Test
  void a_file_that_cannot_be_taken_stops_no_other() throws Exception {
    assertOnlyOneSuffers("claim", "inbox/a.yaml.trouble.txt");
  }

  @Test
  void a_file_that_cannot_be_read_stops_no_other() throws Exception {
    assertOnlyOneSuffers("read", "inbox/a.yaml.trouble.txt");
  }

  @Test
  void results_that_cannot_be_written_stop_no_other() throws Exception {
    assertOnlyOneSuffers("results", "running/a.yaml.trouble.txt");
  }

  @Test
  void an_end_that_cannot_be_shown_stops_no_other() throws Exception {
    assertOnlyOneSuffers("showEnd", "running/a.yaml.trouble.txt");
  }

  @Test
  void the_trouble_with_a_file_goes_with_it() throws Exception {
    put("a.yaml", "bad");
    DropKeeper keeper = keeper(failingFor("claim", "a.yaml"));
    keeper.turn();
    assertThat(root.resolve("inbox/a.yaml.trouble.txt")).exists();
    Files.delete(root.resolve("inbox/a.yaml"));
    keeper.turn();
    assertThat(keeper.trouble()).isEmpty();
    assertThat(root.resolve("inbox/a.yaml.trouble.txt")).doesNotExist();
  }

  @Test
  void links_and_names_that_are_not_utf8_get_a_word_and_lose_it_when_they_go() throws Exception {
    put("real.txt", "work");
    Path link = root.resolve("inbox/link.yaml");
    Files.createSymbolicLink(link, root.resolve("inbox/real.txt"));
    Process made =
        new ProcessBuilder("sh", "-c", "printf x > \"$(printf 'gr\\374n.yaml')\"")
            .directory(root.resolve("inbox").toFile())
            .start();
    assertThat(made.waitFor()).isZero();
    DropKeeper keeper = keeper(place);
    keeper.turn();
    assertThat(pool.items).isEmpty();
    assertThat(root.resolve("inbox/link.yaml.trouble.txt"))
        .content()
        .contains("is a symbolic link");
    try (Stream<Path> inbox = Files.list(root.resolve("inbox"))) {
      assertThat(inbox.filter(p -> p.toString().endsWith(".trouble.txt"))).hasSize(2);
    }
    assertThat(keeper.trouble()).contains("not UTF-8").contains("link.yaml");
    Files.delete(link);
    keeper.turn();
    assertThat(root.resolve("inbox/link.yaml.trouble.txt")).doesNotExist();
  }
}
