package dev.imker.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * How tests start Imker in processes of its own: as the launcher does, with classes that are loaded
 * and linked already. Java keeps such only of jars, so folders of classes are put into some.
 */
final class QuickStart {
  private static final List<String> OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xmx512m");

  private static final class Prepared {
    static final List<String> COMMAND = prepare();
  }

  private QuickStart() {}

  /** Java with all options; what follows is the class to run. */
  static List<String> java() {
    return Prepared.COMMAND;
  }

  private static List<String> prepare() {
    try {
      Path folder = Files.createTempDirectory("imker-quick-start-");
      // For tests that start Imker as another user, who may not read the folders of this one.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      String classPath = classPath(folder);
      Path cache = folder.resolve("classes.aot");
      List<String> training = command(classPath, List.of("-XX:AOTCacheOutput=" + cache));
      training.add("dev.imker.cli.FastStartTraining");
      new ProcessBuilder(training)
          .redirectErrorStream(true)
          .redirectOutput(folder.resolve("training.txt").toFile())
          .start()
          .waitFor();
      return command(
          classPath,
          Files.exists(cache)
              ? List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off")
              : List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static List<String> command(String classPath, List<String> more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.addAll(more);
    command.addAll(List.of("-cp", classPath));
    return command;
  }

  /** That of this test, copied; folders of classes as jars. */
  private static String classPath(Path folder) throws IOException {
    List<String> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path jar = folder.resolve("classes-" + jars.size() + ".jar");
      if (Files.isRegularFile(Path.of(entry))) {
        Files.copy(Path.of(entry), jar);
        jars.add(jar.toString());
      } else if (Files.isDirectory(Path.of(entry)) && !entry.endsWith("test-classes")) {
        pack(Path.of(entry), jar);
        jars.add(jar.toString());
      }
    }
    return String.join(File.pathSeparator, jars);
  }

  private static void pack(Path folder, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.filter(path -> !path.equals(folder)).sorted().toList()) {
        boolean isFile = Files.isRegularFile(path);
        out.putNextEntry(new JarEntry(folder.relativize(path) + (isFile ? "" : "/")));
        if (isFile) {
          Files.copy(path, out);
        }
        out.closeEntry();
      }
    }
  }

  private static void delete(Path folder) {
    File[] files = folder.toFile().listFiles();
    Arrays.stream(files == null ? new File[0] : files).forEach(File::delete);
    folder.toFile().delete();
  }
}
