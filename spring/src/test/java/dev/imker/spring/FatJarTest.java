package dev.imker.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.client.Imker;
import dev.imker.model.ImkerException;
import dev.imker.planner.Planner;
import dev.imker.tasks.TaskContext;
import dev.imker.testkit.TestPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.ValueWrapper;
import org.springframework.boot.loader.launch.JarLauncher;

/** A program that runs from one jar with its libraries inside, by Spring Boot's own loader. */
class FatJarTest {
  private static final long PATIENCE_SECONDS = 120;

  /** From each of its libraries one class. */
  private static final List<Class<?>> LIBRARIES =
      List.of(
          Imker.class,
          TaskContext.class,
          ImkerException.class,
          Planner.class,
          JsonMapper.class,
          JsonFactory.class,
          JsonProperty.class,
          ValueWrapper.class);

  @Test
  void calls_libraries_and_resources_travel_from_a_jar_of_jars(@TempDir Path folder)
      throws Exception {
    Path jar = pack(folder.resolve("an app+1.jar"));
    Path output = folder.resolve("output");
    try (TestPool pool = TestPool.start(folder.resolve("pool"))) {
      ProcessBuilder program =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1",
              "-jar",
              jar.toString(),
              "honey");
      program.environment().put("IMKER_URL", pool.server().address().toString());
      program.environment().put("IMKER_TOKEN", pool.server().adminToken());
      Process running = program.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      assertThat(running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(output)
        .hasContent(
            """
            Answer[text=honey, elsewhere=true]
            7
            in the jar
            [1, 4, 9]
            java.lang.NumberFormatException: For input string: "honey"
            """);
  }

  private static Path pack(Path jar) throws Exception {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, JarLauncher.class.getName());
    main.putValue("Start-Class", FatJarProgram.class.getName());
    main.putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
    main.putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      try (JarFile loader = new JarFile(place(JarLauncher.class).toFile())) {
        for (var entry : loader.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
          put(out, entry.getName(), loader.getInputStream(entry).readAllBytes());
        }
      }
      out.putNextEntry(new ZipEntry("BOOT-INF/classes/"));
      put(out, "BOOT-INF/classes/texts/words.txt", "in the jar".getBytes(UTF_8));
      for (Class<?> own : List.of(FatJarProgram.class, FatJarProgram.Answer.class)) {
        String name = own.getName().replace('.', '/') + ".class";
        try (InputStream in = FatJarTest.class.getResourceAsStream("/" + name)) {
          put(out, "BOOT-INF/classes/" + name, in == null ? new byte[0] : in.readAllBytes());
        }
      }
      out.putNextEntry(new ZipEntry("BOOT-INF/lib/"));
      for (int i = 0; i < LIBRARIES.size(); i++) {
        store(out, "BOOT-INF/lib/library-" + i + ".jar", library(place(LIBRARIES.get(i))));
      }
    }
    return jar;
  }

  private static Path place(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** A library as a jar, which in a build of all modules may be a folder of classes. */
  private static byte[] library(Path place) throws IOException {
    if (Files.isRegularFile(place)) {
      return Files.readAllBytes(place);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes);
        Stream<Path> tree = Files.walk(place)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        put(out, place.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return bytes.toByteArray();
  }

  private static void put(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(content);
    out.closeEntry();
  }

  /** The loader reads jars where they lie, so they must not be compressed. */
  private static void store(JarOutputStream out, String name, byte[] content) throws IOException {
    CRC32 sum = new CRC32();
    sum.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(sum.getValue());
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }
}
