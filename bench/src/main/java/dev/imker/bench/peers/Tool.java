package dev.imker.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Something that runs a number of commands.
 *
 * @param count how many it gets a round, so that each round takes seconds
 */
record Tool(String name, String settings, int count, Work work) {
  /** Has so many run; returns when all are done. */
  interface Work {
    void run(int count) throws Exception;
  }

  /** What Imker gives to tasks, and nothing else, so that none has to load more than another. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin", "LC_CTYPE", "C.UTF-8");

  static boolean installed(String program) {
    return Stream.of("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin")
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Says how a missing program is installed, and whether it is there. */
  static boolean usable(String program, String packages) {
    if (!installed(program)) {
      System.out.println(program + " is left out: apt-get install " + packages);
    }
    return installed(program);
  }

  static ProcessBuilder process(Path folder, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(ENVIRONMENT);
    builder.environment().put("HOME", folder.toString());
    return builder;
  }

  /** A shell's line, which has to succeed. */
  static void shell(Path folder, String line) throws IOException, InterruptedException {
    Path log = Files.createTempFile("peers-", ".log");
    int status =
        process(folder, "/bin/sh", "-c", line)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    String text = Files.readString(log);
    Files.delete(log);
    if (status != 0) {
      throw new IOException(line + " ended with " + status + ": " + text);
    }
  }

  static void deleteTree(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** All tools in turns; commands a second of each. */
  static void compare(String group, String title, int rounds, List<Tool> tools) throws Exception {
    List<Series> rates = new ArrayList<>();
    System.out.println();
    for (Tool tool : tools) {
      System.out.println(tool.name + ": " + tool.settings + "; " + tool.count + " a round.");
      rates.add(new Series(tool.name));
      tool.work.run(tool.count);
    }
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < tools.size(); i++) {
        Tool tool = tools.get(i);
        long start = System.nanoTime();
        tool.work.run(tool.count);
        double rate = tool.count * 1e9 / (System.nanoTime() - start);
        rates.get(i).add(rate);
        System.out.println(
            "round " + (round + 1) + ", " + tool.name + ": " + Series.figure(rate) + " a second");
      }
    }
    PeersBench.print(title, rates, true);
    BarPlot.write(PeersBench.plot(group), title, rates);
  }
}
