package dev.imker.charts.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Libraries of users, compiled by the tests. */
public final class Libraries {
  private Libraries() {}

  /** The methods in a public class Mine, as mine.jar in a folder. */
  public static Path of(Path folder, String methods) throws IOException {
    String source =
        "import dev.imker.tasks.charts.*;\npublic class Mine {\n%s\n}\n".formatted(methods);
    Path classes = Files.createDirectories(folder.resolve("classes"));
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Mine.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter said = new StringWriter();
    List<String> options = List.of("-d", classes.toString(), "-proc:none");
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(said, null, null, options, null, List.of(file))
            .call();
    assertThat(compiled).as(said.toString()).isTrue();
    Path jar = folder.resolve("mine.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream zip = new JarOutputStream(out);
        Stream<Path> all = Files.list(classes)) {
      for (Path one : all.toList()) {
        zip.putNextEntry(new ZipEntry(String.valueOf(one.getFileName())));
        zip.write(Files.readAllBytes(one));
      }
    }
    return jar;
  }
}
