package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Task libraries by name and version. */
class LibrariesTest {
  private static final String PATH = "/api/v1/libraries";

  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A jar with a task that has these effects in the textual form. */
  private static byte[] jar(String content, Optional<String> effect) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes)) {
      write(jar, "content.txt", content.getBytes(StandardCharsets.UTF_8));
      if (effect.isPresent()) {
        write(jar, "Work.class", task(effect.get()));
      }
    }
    return bytes.toByteArray();
  }

  private static void write(JarOutputStream jar, String name, byte[] content) throws IOException {
    JarEntry entry = new JarEntry(name);
    entry.setTime(0); // the same content is to make the same bytes
    jar.putNextEntry(entry);
    jar.write(content);
    jar.closeEntry();
  }

  private static byte[] task(String effect) {
    Annotation action = Annotation.of(ClassDesc.of("dev.imker.tasks.Action"));
    Annotation effects =
        Annotation.of(
            ClassDesc.of("dev.imker.tasks.relational.Effects"),
            AnnotationElement.of("value", AnnotationValue.of(new String[] {effect})));
    return ClassFile.of()
        .build(
            ClassDesc.of("Work"),
            built ->
                built
                    .withSuperclass(ClassDesc.of("dev.imker.tasks.Task"))
                    .with(RuntimeVisibleAnnotationsAttribute.of(action, effects)));
  }

  private static Rest.Reply put(String name, String content, String more) throws IOException {
    String sha256 = server.admin().upload(jar(content, Optional.of("Done()")));
    return server.admin().putJson(PATH + "/" + name, "{\"sha256\":\"" + sha256 + "\"" + more + "}");
  }

  @Test
  void new_content_is_a_new_version_and_the_same_is_not() throws IOException {
    assertThat(put("counted", "a", "").json().path("version").asText()).isEqualTo("1");
    assertThat(put("counted", "a", "").json().path("version").asText()).isEqualTo("1");
    assertThat(put("counted", "b", "").json().path("version").asText()).isEqualTo("2");
  }

  @Test
  void version_never_changes() throws IOException {
    assertThat(put("fixed", "a", ",\"version\":\"1.0\"").status()).isEqualTo(200);
    assertThat(put("fixed", "a", ",\"version\":\"1.0\"").status()).isEqualTo(200);
    Rest.Reply reply = put("fixed", "b", ",\"version\":\"1.0\"");
    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.errorMessage()).contains("1.0").contains("never change");
  }

  @Test
  void libraries_survive_a_restart_and_can_be_removed() throws IOException {
    assertThat(put("kept", "a", ",\"signature\":\"by somebody\"").status()).isEqualTo(200);
    server.restart();
    String list = server.admin().get(PATH).text();
    assertThat(list).contains("\"kept\"").contains("by somebody");
    assertThat(server.admin().method("DELETE", PATH + "/kept/1").status()).isEqualTo(204);
    assertThat(server.admin().method("DELETE", PATH + "/kept/1").status()).isEqualTo(404);
    assertThat(server.admin().get(PATH).text()).doesNotContain("\"kept\"");
  }

  @Test
  void what_is_no_jar_or_not_there_is_refused() {
    String text = server.admin().upload("no jar".getBytes(StandardCharsets.UTF_8));
    Rest.Reply reply = server.admin().putJson(PATH + "/wrong", "{\"sha256\":\"" + text + "\"}");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.errorMessage()).contains("not a jar");
    Rest.Reply missing =
        server.admin().putJson(PATH + "/wrong", "{\"sha256\":\"" + "0".repeat(64) + "\"}");
    assertThat(missing.errorField()).isEqualTo("sha256");
  }

  @Test
  void jars_without_tasks_or_with_malformed_ones_are_refused() throws IOException {
    assertThat(refusal(Optional.empty())).contains("has no tasks");
    assertThat(refusal(Optional.of("At(nobody,"))).contains("Work").contains("At(nobody");
  }

  private static String refusal(Optional<String> effect) throws IOException {
    String sha256 = server.admin().upload(jar("x", effect));
    Rest.Reply reply = server.admin().putJson(PATH + "/bad", "{\"sha256\":\"" + sha256 + "\"}");
    assertThat(reply.status()).isEqualTo(400);
    return reply.errorMessage();
  }
}
