package dev.imker.agent.internal.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.agent.internal.cache.BlobCache;
import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.agent.internal.cache.Sha256;
import dev.imker.agent.internal.system.HeldFile;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TaskFolderTest {
  @TempDir Path root;

  private TaskFolder folder() throws IOException {
    return WorkArea.begin(root.resolve("agent"), Laying.COPY, Optional::empty).take();
  }

  private static void write(TaskFolder folder, String path) throws IOException {
    Path file = folder.work().resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, path);
  }

  private static List<String> paths(TaskFolder folder, String... patterns) throws IOException {
    return folder.results(List.of(patterns)).stream().map(FoundResult::path).toList();
  }

  private void lay(TaskFolder folder, String path, boolean executable) throws Exception {
    Path content = Files.writeString(root.resolve("content"), "input of " + path);
    BlobCache cache = new BlobCache(root.resolve("cache"), 1 << 20);
    BlobSource source = (_, _) -> new BlobSource.Content(Files.newInputStream(content), 0);
    folder.lay(
        new InputFile(path, Sha256.of(content), Files.size(content), executable), cache, source);
  }

  @Test
  void only_the_owner_may_look_in() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder().work())))
        .isEqualTo("rwx------");
  }

  @Test
  void inputs_come_with_their_folders_and_executable_bit() throws Exception {
    TaskFolder folder = folder();
    lay(folder, "a/b/tool", true);
    lay(folder, "data", false);
    assertThat(folder.work().resolve("a/b/tool")).hasContent("input of a/b/tool").isExecutable();
    assertThat(Files.getPosixFilePermissions(folder.work().resolve("data")))
        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
  }

  @Test
  @Attack("place inputs outside the work folder")
  void paths_that_lead_out_are_refused() throws Exception {
    TaskFolder folder = folder();
    for (String path : List.of("../x", "/etc/passwd", "a/../../x", "", "a//b", ".", "x\0y")) {
      assertThatThrownBy(() -> lay(folder, path, false)).isInstanceOf(ImkerException.class);
      assertThatThrownBy(() -> paths(folder, path)).isInstanceOf(ImkerException.class);
    }
  }

  @Test
  void patterns_pick_names_folders_and_depths() throws Exception {
    TaskFolder folder = folder();
    for (String path : List.of("a.txt", "b.txt", "c.log", "sub/d.txt", "sub/deep/e.bin")) {
      write(folder, path);
    }
    assertThat(paths(folder, "*.txt")).containsExactly("a.txt", "b.txt");
    assertThat(paths(folder, "sub/**")).containsExactly("sub/d.txt", "sub/deep/e.bin");
    assertThat(paths(folder, "sub")).containsExactly("sub/d.txt", "sub/deep/e.bin");
    assertThat(paths(folder, "c.log", "{a,x}.txt")).containsExactly("a.txt", "c.log");
    assertThat(paths(folder, "*.nothing")).isEmpty();
    assertThat(paths(folder)).isEmpty();
  }

  @Test
  void a_star_means_everything_new_or_changed() throws Exception {
    TaskFolder folder = folder();
    lay(folder, "untouched", false);
    lay(folder, "changed", false);
    write(folder, "sub/new");
    Files.writeString(folder.work().resolve("changed"), "longer than it was before");
    assertThat(paths(folder, "*")).containsExactly("changed", "sub/new");
  }

  @Test
  void a_result_that_is_named_must_be_there() throws Exception {
    TaskFolder folder = folder();
    assertThatThrownBy(() -> paths(folder, "out.txt"))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("out.txt");
  }

  @Test
  @Attack("turn a file outside the folder into a result through a link")
  void links_never_lead_out_of_the_work_folder() throws Exception {
    TaskFolder folder = folder();
    Path secret = Files.writeString(root.resolve("secret"), "secret");
    Files.createSymbolicLink(folder.work().resolve("stolen"), secret);
    Files.createSymbolicLink(folder.work().resolve("outside"), root);
    write(folder, "real");
    Files.createSymbolicLink(folder.work().resolve("alias"), Path.of("real"));
    assertThat(paths(folder, "*")).containsExactly("alias", "real");
    assertThatThrownBy(() -> paths(folder, "stolen")).isInstanceOf(ImkerException.class);
    assertThat(paths(folder, "outside/**")).isEmpty();
  }

  @Test
  void results_know_whether_they_are_executable() throws Exception {
    TaskFolder folder = folder();
    write(folder, "tool");
    write(folder, "data");
    Files.setPosixFilePermissions(
        folder.work().resolve("tool"), PosixFilePermissions.fromString("rwx------"));
    assertThat(folder.results(List.of("*")))
        .extracting(FoundResult::executable)
        .containsExactly(false, true);
  }

  @Test
  @Attack("have files outside the folder deleted through a link")
  void deletion_takes_everything_and_follows_no_link() throws Exception {
    TaskFolder folder = folder();
    Path precious = Files.createDirectories(root.resolve("precious"));
    Files.writeString(precious.resolve("file"), "x");
    write(folder, "a/b/c");
    Files.createSymbolicLink(folder.work().resolve("link"), precious);
    Files.setPosixFilePermissions(
        folder.work().resolve("a/b"), PosixFilePermissions.fromString("r-x------"));
    Files.setPosixFilePermissions(
        folder.work().resolve("a"), PosixFilePermissions.fromString("---------"));
    Files.writeString(folder.stdout(), "out");
    folder.delete();
    assertThat(folder.work()).doesNotExist();
    assertThat(folder.temporary()).doesNotExist();
    assertThat(folder.stdout()).doesNotExist();
    assertThat(precious.resolve("file")).exists();
  }

  @Test
  @Attack(
      "leave folders nested deeper than any path can reach, so that the agent cannot delete them")
  void what_no_path_leads_to_is_deleted_too_and_is_not_lost_in_silence() throws Exception {
    TaskFolder folder = folder();
    String deeper = "n=" + "x".repeat(200) + "; for i in $(seq 60); do mkdir $n; cd $n; done";
    Process task =
        new ProcessBuilder("sh", "-c", deeper + "; echo hidden > result")
            .directory(folder.work().toFile())
            .start();
    assertThat(task.waitFor()).isZero();
    assertThat(FolderSize.of(folder.work())).as("no limit is kept").isGreaterThan(1L << 50);
    assertThatThrownBy(() -> paths(folder, "**"))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("cannot read");
    assertThat(paths(folder, "*.txt")).isEmpty();
    folder.delete();
    assertThat(folder.work()).doesNotExist();
  }

  @Test
  void a_folder_left_empty_serves_again() throws Exception {
    WorkArea area = WorkArea.begin(root.resolve("agent"), Laying.COPY, Optional::empty);
    TaskFolder first = area.take();
    area.giveBack(first);
    assertThat(area.take()).isSameAs(first);
  }

  @Test
  void a_folder_that_was_used_or_opened_to_others_never_serves_again() throws Exception {
    WorkArea area = WorkArea.begin(root.resolve("agent"), Laying.COPY, Optional::empty);
    TaskFolder used = area.take();
    write(used, "file");
    TaskFolder littered = area.take();
    Files.writeString(littered.temporary().resolve("left"), "x");
    TaskFolder opened = area.take();
    Files.setPosixFilePermissions(opened.work(), PosixFilePermissions.fromString("rwxrwxrwx"));
    TaskFolder gone = area.take();
    Files.delete(gone.work());
    for (TaskFolder folder : List.of(used, littered, opened, gone)) {
      area.giveBack(folder);
      assertThat(folder.work()).doesNotExist();
      assertThat(folder.temporary()).doesNotExist();
    }
    TaskFolder fresh = area.take();
    assertThat(fresh).isNotIn(used, littered, opened, gone);
    assertThat(fresh.work()).isEmptyDirectory();
  }

  @Test
  void an_area_begins_empty() throws Exception {
    TaskFolder left = folder();
    write(left, "x/y");
    TaskFolder again = folder();
    assertThat(again.work()).isEmptyDirectory();
  }

  @Test
  @Attack("replace a result by a link after it was checked")
  void a_file_that_was_swapped_for_something_else_after_the_look_is_not_read() throws Exception {
    Path outside = Files.createDirectory(root.resolve("outside"));
    Files.writeString(outside.resolve("data"), "secret");
    TaskFolder folder = folder();
    Path out = Files.createDirectory(folder.work().resolve("out"));
    Files.writeString(out.resolve("data"), "mine");
    FoundResult found = folder.files(List.of("out/data")).getFirst();
    try (HeldFile held = found.hold()) {
      assertThat(Files.readString(held.path())).isEqualTo("mine");
      Files.delete(out.resolve("data"));
      assertThat(Files.readString(held.path())).isEqualTo("mine");
    }

    Files.delete(out);
    Files.createSymbolicLink(out, outside);
    assertThatThrownBy(found::hold).as("a folder became a link").isInstanceOf(IOException.class);

    Files.delete(out);
    Files.createDirectory(out);
    Files.createSymbolicLink(out.resolve("data"), outside.resolve("data"));
    assertThatThrownBy(found::hold).as("a file became a link").isInstanceOf(IOException.class);

    Files.delete(out.resolve("data"));
    assertThat(new ProcessBuilder("mkfifo", out.resolve("data").toString()).start().waitFor())
        .isZero();
    assertThatThrownBy(found::hold).as("a file became a pipe").isInstanceOf(IOException.class);
  }

  @Test
  @Attack("replace the work folder")
  void a_work_folder_that_was_swapped_is_noticed() throws Exception {
    Path outside = Files.createDirectories(root.resolve("outside/run"));
    Files.writeString(outside.resolve("data"), "secret");
    TaskFolder folder = folder();
    folder.enter("year/run");
    Path year = folder.work().getParent();
    Files.delete(folder.work());
    Files.delete(year);
    Files.createSymbolicLink(year, outside.getParent());
    assertThatThrownBy(() -> folder.files(List.of("data"))).isInstanceOf(ImkerException.class);
  }
}
