package dev.imker.agent.internal.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what Linux tells about processes. A process that is gone reads as nothing. */
public final class ProcFs {
  private static final Path ROOT = Path.of("/proc");

  // Fields of /proc/PID/stat, counted from the state.
  private static final int SESSION = 3;
  private static final int FIRST_TIME = 11;
  private static final int TIMES = 4;
  private static final int THREADS = 17;
  private static final int START = 19;

  private static volatile @Nullable Parents parents;

  /** State letter (Z is a zombie), parent and session of a process, and when it was started. */
  public record Stat(char state, int parent, int session, long startTicks) {}

  private ProcFs() {}

  public static int self() {
    return (int) ProcessHandle.current().pid();
  }

  /**
   * All descendants of a process, nearest first.
   *
   * <p>The threads of a process are never looked at, though Linux lists children by thread: from
   * then on the kernel has a directory for each, and clears them away when the process ends. A
   * thread of low priority that is halfway through that while the process is waited for makes the
   * waiting one spin in the kernel; on a busy core that lasted many seconds.
   */
  public static List<Integer> descendants(int pid) {
    return descendants(pid, 0);
  }

  /**
   * As above, from a list of all processes that may be so old: making one costs milliseconds on a
   * machine with many.
   */
  public static List<Integer> descendants(int pid, long maxAgeNanos) {
    List<Integer> tree = new ArrayList<>(List.of(pid));
    for (int i = 0; i < tree.size(); i++) {
      tree.addAll(children(tree.get(i), maxAgeNanos));
    }
    return tree.subList(1, tree.size());
  }

  private static List<Integer> children(int pid, long maxAgeNanos) {
    String[] fields = statFields(pid);
    if (fields.length <= THREADS) {
      return List.of();
    }
    if (fields[THREADS].equals("1")) {
      return numbers(text(ROOT.resolve(pid + "/task/" + pid + "/children")));
    }
    Parents known = parents;
    if (known == null || System.nanoTime() - known.nanos >= maxAgeNanos) {
      known = parents();
      parents = known;
    }
    return known.children.getOrDefault(pid, List.of());
  }

  /** The children of all processes of this machine, as they were at a time. */
  private record Parents(long nanos, Map<Integer, List<Integer>> children) {}

  private static Parents parents() {
    long now = System.nanoTime();
    Map<Integer, List<Integer>> children = new HashMap<>();
    for (int pid : allProcesses()) {
      Stat stat = stat(pid);
      if (stat != null) {
        children.computeIfAbsent(stat.parent(), _ -> new ArrayList<>()).add(pid);
      }
    }
    return new Parents(now, children);
  }

  static boolean leadsSession(int pid) {
    Stat stat = stat(pid);
    return stat != null && stat.session() == pid;
  }

  public static List<Integer> allProcesses() {
    List<Integer> pids = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(ROOT, "[0-9]*")) {
      for (Path entry : entries) {
        pids.add(Integer.valueOf(entry.getFileName().toString()));
      }
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
    return pids;
  }

  public static @Nullable Stat stat(int pid) {
    String[] fields = statFields(pid);
    return fields.length <= START
        ? null
        : new Stat(
            fields[0].charAt(0),
            Integer.parseInt(fields[1]),
            Integer.parseInt(fields[SESSION]),
            Long.parseLong(fields[START]));
  }

  /** What {@code /proc/PID/stat} says after the name; nothing if the process is gone. */
  private static String[] statFields(int pid) {
    String line = text(ROOT.resolve(pid + "/stat"));
    // The name in parentheses may contain anything, also parentheses and blanks.
    int end = line.lastIndexOf(')');
    return end < 0 ? new String[0] : line.substring(end + 2).split(" ", START + 2);
  }

  /**
   * Whether the environment that a process was started with has this entry ({@code NAME=value}).
   */
  public static boolean hasEnvironment(int pid, String entry) {
    String all = "\0" + text(ROOT.resolve(pid + "/environ"));
    return all.contains("\0" + entry + "\0");
  }

  /** As above, for an entry that only begins like this. */
  public static boolean hasEnvironmentPrefix(int pid, String prefix) {
    return ("\0" + text(ROOT.resolve(pid + "/environ"))).contains("\0" + prefix);
  }

  /** A figure of {@code /proc/PID/status} that is given in kB, in bytes; 0 if it is not there. */
  public static long statusBytes(int pid, String name) {
    String status = text(ROOT.resolve(pid + "/status"));
    int at = status.indexOf("\n" + name + ":");
    if (at < 0) {
      return 0;
    }
    int from = at + name.length() + 2;
    int to = status.indexOf(" kB", from);
    return to < 0 ? 0 : Long.parseLong(status.substring(from, to).strip()) * 1024;
  }

  /** Processor time of a process and the children it waited for, in ticks. */
  public static long cpuTicks(int pid) {
    String[] fields = statFields(pid);
    long ticks = 0;
    for (int i = FIRST_TIME; i < FIRST_TIME + TIMES && i < fields.length; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return ticks;
  }

  /** Memory of a process in which shared pages count in part; its resident memory if unknown. */
  public static long proportionalBytes(int pid) {
    String rollup = text(ROOT.resolve(pid + "/smaps_rollup"));
    int at = rollup.indexOf("\nPss:");
    if (at < 0) {
      return statusBytes(pid, "VmRSS");
    }
    int to = rollup.indexOf(" kB", at);
    return Long.parseLong(rollup.substring(at + 5, to).strip()) * 1024;
  }

  private static List<Integer> numbers(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    List<Integer> numbers = new ArrayList<>();
    for (String word : text.strip().split(" +", -1)) {
      if (!word.isEmpty()) {
        numbers.add(Integer.valueOf(word));
      }
    }
    return numbers;
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
