package dev.imker.planner.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActionScannerTest {
  private static final String PACKAGE = "dev.imker.planner.actions.";

  private static byte[] classFile(Class<?> type) throws IOException {
    String resource = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(resource))) {
      return in.readAllBytes();
    }
  }

  @Test
  void classes_in_annotations_become_statements_about_types() throws IOException {
    ScannedAction action =
        ActionScanner.scanClass(classFile(SampleTasks.FetchFriends.class)).orElseThrow();

    assertThat(action.className()).isEqualTo(PACKAGE + "SampleTasks$FetchFriends");
    assertThat(action.superclassName()).isEqualTo("java.lang.AssertionError");
    assertThat(action.description())
        .isEqualTo(
            ActionDescription.typed(
                PACKAGE + "SampleTasks$FetchFriends",
                List.of(PACKAGE + "SampleTasks$UserId", PACKAGE + "SampleTasks$Token"),
                List.of(PACKAGE + "SampleTasks$FriendList"),
                List.of(PACKAGE + "SampleTasks$Token")));
  }

  @Test
  void texts_in_annotations_become_relations() throws IOException {
    ScannedAction action = ActionScanner.scanClass(classFile(SampleTasks.Move.class)).orElseThrow();

    assertThat(action.description())
        .isEqualTo(
            ActionDescription.relational(
                PACKAGE + "SampleTasks$Move",
                List.of("File(d)", "Folder(from)", "Folder(to)"),
                List.of("Differs(to,from)", "In(d,from)"),
                List.of("In(d,to)"),
                List.of("In(d,from)")));
  }

  @Test
  void classes_without_the_action_annotation_are_no_actions() throws IOException {
    assertThat(ActionScanner.scanClass(classFile(SampleTasks.NoAction.class))).isEmpty();
  }

  @Test
  void a_jar_yields_its_actions_and_names_what_is_wrong(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("library.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      add(out, "a/Move.class", classFile(SampleTasks.Move.class));
      add(out, "a/FetchFriends.class", classFile(SampleTasks.FetchFriends.class));
      add(out, "a/Misspelt.class", classFile(SampleTasks.Misspelt.class));
      add(out, "a/Plain.class", classFile(SampleTasks.class));
      add(out, "a/Broken.class", "Ldev/imker/tasks/ no class".getBytes(StandardCharsets.UTF_8));
      byte[] cut = Arrays.copyOf(classFile(SampleTasks.Move.class), 700);
      add(out, "a/Cut.class", cut);
    }

    ScanReport report = ActionScanner.scanJar(jar);

    assertThat(report.actions())
        .extracting(ScannedAction::className)
        .containsExactly(PACKAGE + "SampleTasks$Move", PACKAGE + "SampleTasks$FetchFriends");
    assertThat(report.problems())
        .hasSize(3)
        .anyMatch(
            problem -> problem.startsWith("a/Misspelt.class") && problem.contains("In(nobody"))
        .anyMatch(problem -> problem.startsWith("a/Broken.class"))
        .anyMatch(problem -> problem.startsWith("a/Cut.class"));
    assertThat(report.toLibrary().actions()).hasSize(2);
  }

  private static void add(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(content);
    out.closeEntry();
  }

  @Test
  void any_damage_to_a_class_file_is_an_illegal_argument() throws IOException {
    byte[] sound = classFile(SampleTasks.Move.class);
    Random random = new Random(42);
    for (int i = 0; i < 3000; i++) {
      byte[] damaged = sound.clone();
      for (int hits = 0; hits < 1 + i % 5; hits++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        ActionScanner.scanClass(damaged);
      } catch (IllegalArgumentException expected) {
        assertThat(expected).isNotNull();
      }
    }
  }

  @Test
  void a_file_that_is_no_jar_is_an_input_error(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("x.jar"), "no zip");

    assertThatThrownBy(() -> ActionScanner.scanJar(file)).isInstanceOf(IOException.class);
  }
}
