package dev.imker.agent.internal.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the memory of all portable processes and their descendants twice a second, with one call
 * of {@code ps}, which all systems but Windows have.
 */
final class PortableTrees {
  private static final Logger LOG = LoggerFactory.getLogger(PortableTrees.class);
  private static final long LOOK_MILLIS = 500;
  private static final List<String> PS = List.of("/bin/ps", "-A", "-o", "pid=,ppid=,rss=");
  private static final Set<PortableProcess> WATCHED = ConcurrentHashMap.newKeySet();

  static {
    Thread.ofPlatform().daemon().name("imker-trees").start(PortableTrees::lookForEver);
  }

  private PortableTrees() {}

  /** A line of {@code ps}. */
  private record Line(long pid, long parent, long bytes) {}

  static void watch(PortableProcess process) {
    WATCHED.add(process);
  }

  private static void lookForEver() {
    try {
      while (true) {
        WATCHED.removeIf(process -> !process.isAlive());
        if (!WATCHED.isEmpty()) {
          look(PortableExecutor.WINDOWS ? "" : ask());
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String ask() {
    try {
      Process ps = new ProcessBuilder(PS).redirectErrorStream(true).start();
      try (var answer = ps.getInputStream()) {
        return new String(answer.readAllBytes(), UTF_8);
      }
    } catch (IOException e) {
      LOG.debug("The memory use of tasks is unknown", e);
      return "";
    }
  }

  private static void look(String answer) {
    Map<Long, List<Line>> children = new HashMap<>();
    Map<Long, Line> lines = new HashMap<>();
    for (String text : answer.lines().toList()) {
      String[] words = text.strip().split("\\s+", -1);
      if (words.length == 3 && words[0].matches("\\d+")) {
        Line line =
            new Line(
                Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]) << 10);
        lines.put(line.pid, line);
        children.computeIfAbsent(line.parent, _ -> new ArrayList<>()).add(line);
      }
    }
    for (PortableProcess process : WATCHED) {
      Line root = lines.get(process.pid());
      List<Line> tree = new ArrayList<>(root == null ? List.of() : List.of(root));
      for (int i = 0; i < tree.size(); i++) {
        tree.addAll(children.getOrDefault(tree.get(i).pid, List.of()));
      }
      process.looked(tree.stream().mapToLong(Line::bytes).sum(), tree.size());
    }
  }
}
