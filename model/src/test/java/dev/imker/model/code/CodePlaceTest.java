package dev.imker.model.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodePlaceTest {
  @TempDir Path folder;

  @Test
  void a_class_is_found_in_its_folder() {
    assertThat(CodePlace.of(CodePlaceTest.class).resolve("dev/imker/model/code")).isDirectory();
  }

  @Test
  void a_class_is_found_in_a_jar_whatever_that_is_called() throws Exception {
    Path jar = folder.resolve("a b+ü%20.jar");
    String file = CodePlace.class.getName().replace('.', '/') + ".class";
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry(file));
      copy(file, out);
    }
    URL[] urls = {jar.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      assertThat(CodePlace.of(loader.loadClass(CodePlace.class.getName()))).isEqualTo(jar);
    }
  }

  private static void copy(String file, OutputStream out) throws IOException {
    ClassLoader loader = CodePlaceTest.class.getClassLoader();
    try (InputStream in = Objects.requireNonNull(loader.getResourceAsStream(file))) {
      in.transferTo(out);
    }
  }
}
