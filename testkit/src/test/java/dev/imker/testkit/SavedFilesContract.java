package dev.imker.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.client.plan.Wanted;
import dev.imker.model.ImkerException;
import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.Task;
import dev.imker.tasks.TaskContext;
import dev.imker.tasks.TaskFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that calls leave, with a pool and without. */
abstract class SavedFilesContract {
  private static final int PIECE_BYTES = 1 << 20;
  private static final int PIECES = 24;

  @TempDir Path folder;

  abstract Imker imker();

  /** The n-th megabyte of the large file. */
  private static byte[] piece(int number) {
    byte[] piece = new byte[PIECE_BYTES];
    new Random(number).nextBytes(piece);
    return piece;
  }

  private static TaskFile large() throws IOException {
    Path film =
        Files.createDirectory(TaskContext.current().folder().resolve("out")).resolve("film");
    try (OutputStream out = Files.newOutputStream(film)) {
      for (int i = 0; i < PIECES; i++) {
        out.write(piece(i));
      }
    }
    return TaskContext.current().saveFile(film);
  }

  private static TaskFile text(String name, String content) throws IOException {
    Path file = TaskContext.current().folder().resolve(name);
    return TaskContext.current().saveFile(Files.writeString(file, content));
  }

  private static List<TaskFile> versions() throws IOException {
    List<TaskFile> files = new ArrayList<>();
    files.add(text("a b & ü.txt", "first"));
    files.add(text("a b & ü.txt", "second, longer"));
    files.add(text("a b & ü.txt", "third"));
    Files.delete(TaskContext.current().folder().resolve("a b & ü.txt"));
    return files;
  }

  private static String refused(String name) {
    try {
      TaskContext.current().saveFile(TaskContext.current().folder().resolve(name));
      return "saved";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private String read(TaskFile file) throws IOException {
    try (InputStream in = imker().open(file)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void a_large_file_comes_back_as_a_file() throws Exception {
    TaskFile film;
    try (ImkerExecutor pool = imker().executor()) {
      film = pool.submit(SavedFilesContract::large).get();
    }
    assertThat(film.path()).isEqualTo("out/film");
    assertThat(film.size()).isEqualTo((long) PIECES * PIECE_BYTES);
    Path target = folder.resolve("new/folder/film");
    imker().fetch(film, target);
    try (InputStream in = Files.newInputStream(target)) {
      for (int i = 0; i < PIECES; i++) {
        assertThat(Arrays.equals(in.readNBytes(PIECE_BYTES), piece(i)))
            .as("megabyte %d", i)
            .isTrue();
      }
      assertThat(in.read()).isEqualTo(-1);
    }
    assertThat(target.getParent()).isDirectoryContaining(target::equals);
    try (InputStream in = imker().open(film)) { // and not to its end
      assertThat(in.readNBytes(PIECE_BYTES)).isEqualTo(piece(0));
    }
  }

  @Test
  void files_stay_as_they_were_when_they_were_saved() throws Exception {
    try (ImkerExecutor pool = imker().executor()) {
      List<TaskFile> files = pool.submit(SavedFilesContract::versions).get();
      assertThat(new HashSet<>(files)).hasSize(3);
      assertThat(files.getFirst().path()).isEqualTo("a b & ü.txt");
      assertThat(read(files.get(0))).isEqualTo("first");
      assertThat(read(files.get(1))).isEqualTo("second, longer");
      assertThat(read(files.get(2))).isEqualTo("third");
    }
  }

  @Test
  void calls_of_one_task_do_not_share_names() throws Exception {
    List<Future<TaskFile>> calls = new ArrayList<>();
    try (ImkerExecutor pool = imker().executor(ExecutorOptions.USUAL.withChunk(10))) {
      for (int i = 0; i < 30; i++) {
        String content = "number " + i;
        calls.add(pool.submit(() -> text("result.txt", content)));
      }
      Set<TaskFile> different = new HashSet<>();
      for (int i = 0; i < calls.size(); i++) {
        TaskFile file = calls.get(i).get();
        different.add(file);
        assertThat(file.path()).isEqualTo("result.txt");
        assertThat(read(file)).isEqualTo("number " + i);
      }
      assertThat(different).hasSize(calls.size());
    }
  }

  @Test
  void what_is_no_file_is_refused_where_it_is_saved() throws Exception {
    Path given =
        Files.writeString(Files.createDirectory(folder.resolve("given")).resolve("in"), "x");
    ExecutorOptions options = ExecutorOptions.USUAL.withFiles(Map.of("deep/in", given));
    try (ImkerExecutor pool = imker().executor(options)) {
      assertThat(pool.submit(() -> refused("deep")).get()).contains("is not a file");
      assertThat(pool.submit(() -> refused("nothing")).get()).contains("nothing");
      assertThat(pool.submit(() -> refused("deep/in")).get()).isEqualTo("saved");
    }
  }

  private static String saved(String name) throws IOException {
    Files.writeString(TaskContext.current().folder().resolve(name), "x");
    return refused(name);
  }

  @Test
  void a_name_that_means_something_else_elsewhere_is_refused() throws Exception {
    try (ImkerExecutor pool = imker().executor()) {
      assertThat(pool.submit(() -> saved("a\\b")).get())
          .contains("could not be saved: its name is not relative");
      assertThat(pool.submit(() -> saved("a\nb")).get()).contains("has control characters");
    }
  }

  record Film(TaskFile file) {}

  record Length(long bytes) {}

  @Action
  @Effects({Film.class})
  static final class Shoot extends Task {
    @Override
    public void task() throws IOException {
      // as the pool itself names what a task leaves
      put(new Film(text("value.cbor", "action")));
    }
  }

  @Action
  @Preconditions({Film.class})
  @Effects({Length.class})
  static final class Measure extends Task {
    @Override
    public void task() {
      put(new Length(get(Film.class).file().size()));
    }
  }

  @Test
  void tasks_of_a_planned_job_leave_files_too() throws Exception {
    Wanted values =
        imker()
            .planned("film")
            .with(Shoot.class, Measure.class)
            .wants(Film.class)
            .wants(Length.class)
            .submit()
            .get();
    assertThat(values.get(Length.class)).isEqualTo(new Length(6));
    assertThat(read(values.get(Film.class).file())).isEqualTo("action");
  }

  @Test
  void a_folder_is_no_place_for_a_file() throws Exception {
    try (ImkerExecutor pool = imker().executor()) {
      TaskFile file = pool.submit(() -> text("a", "content")).get();
      assertThatThrownBy(() -> imker().fetch(file, folder))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(folder + " is a folder; name the new file in it");
      imker().fetch(file, folder.resolve("a"));
      imker().fetch(file, folder.resolve("a"));
      assertThat(folder.resolve("a")).hasContent("content");
    }
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    assertThatThrownBy(() -> imker().open(new TaskFile("1.1", "no such", 1)))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("1.1");
    assertThatThrownBy(
            () -> imker().fetch(new TaskFile("1.1", "no such", 1), folder.resolve("no such")))
        .isInstanceOf(ImkerException.class);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void a_call_that_fails_leaves_its_exception() {
    try (ImkerExecutor pool = imker().executor()) {
      assertThatThrownBy(
              () ->
                  pool.submit(
                          () -> {
                            TaskFile file = text("half", "done");
                            throw new IllegalStateException("after " + file.size());
                          })
                      .get())
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("after 4");
    }
  }
}
