package dev.imker.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Walks the usual commands once in a temporary pool, silently. The launcher runs it after a build
 * and keeps the classes it loaded in a cache, so that later starts are quick.
 */
final class FastStartTraining {
  private FastStartTraining() {}

  public static void main(String[] args) throws IOException {
    Path home = Files.createTempDirectory("imker-training-");
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    System.setOut(silent);
    System.setErr(silent);
    try (TrainingPool pool = TrainingPool.start(home)) {
      List<String> server = List.of("--server", pool.url(), "--token", pool.token());
      run(
          server,
          "run",
          "--wait",
          "--results",
          home.resolve("out").toString(),
          "--",
          "echo {1..3}");
      run(server, "run", "--json", "--", "true");
      run(server, "wait", "last");
      run(server, "ls");
      run(server, "show", "last");
      run(server, "show", "last.1");
      run(server, "logs", "last");
      run(server, "results", "last");
      run(server, "nodes");
      run(server, "cancel", "last");
      Main.execute("--help");
      Main.execute("run", "--help");
    } finally {
      delete(home);
    }
    System.exit(0);
  }

  private static void run(List<String> server, String command, String... arguments) {
    Stream<String> words =
        Stream.concat(Stream.concat(Stream.of(command), server.stream()), Stream.of(arguments));
    Main.execute(words.toArray(String[]::new));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
