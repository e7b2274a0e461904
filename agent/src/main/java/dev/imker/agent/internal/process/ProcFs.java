package dev.imker.agent.internal.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what Linux tells about processes. A process that is gone reads as nothing. */
final class ProcFs {
  private static final Path ROOT = Path.of("/proc");

  /** State letter (Z is a zombie), parent and session of a process. */
  record Stat(char state, int parent, int session) {}

  private ProcFs() {}

  static int self() {
    return (int) ProcessHandle.current().pid();
  }

  /** All descendants of a process, nearest first. */
  static List<Integer> descendants(int pid) {
    List<Integer> found = new ArrayList<>();
    collectChildren(pid, found);
    for (int i = 0; i < found.size(); i++) {
      collectChildren(found.get(i), found);
    }
    return found;
  }

  private static void collectChildren(int pid, List<Integer> into) {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(ROOT.resolve(pid + "/task"))) {
      for (Path thread : threads) {
        into.addAll(numbers(text(thread.resolve("children"))));
      }
    } catch (IOException | RuntimeException e) {
      // The process ended while we looked: it has no children any more.
    }
  }

  static boolean leadsSession(int pid) {
    Stat stat = stat(pid);
    return stat != null && stat.session() == pid;
  }

  static List<Integer> allProcesses() {
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

  static @Nullable Stat stat(int pid) {
    String line = text(ROOT.resolve(pid + "/stat"));
    // The name in parentheses may contain anything, also parentheses and blanks.
    int end = line.lastIndexOf(')');
    if (end < 0) {
      return null;
    }
    String[] fields = line.substring(end + 2).split(" ", 5);
    return new Stat(fields[0].charAt(0), Integer.parseInt(fields[1]), Integer.parseInt(fields[3]));
  }

  /**
   * Whether the environment that a process was started with has this entry ({@code NAME=value}).
   */
  static boolean hasEnvironment(int pid, String entry) {
    String all = "\0" + text(ROOT.resolve(pid + "/environ"));
    return all.contains("\0" + entry + "\0");
  }

  /** As above, for an entry that only begins like this. */
  static boolean hasEnvironmentPrefix(int pid, String prefix) {
    return ("\0" + text(ROOT.resolve(pid + "/environ"))).contains("\0" + prefix);
  }

  /** A figure of {@code /proc/PID/status} that is given in kB, in bytes; 0 if it is not there. */
  static long statusBytes(int pid, String name) {
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
  static long cpuTicks(int pid) {
    String line = text(ROOT.resolve(pid + "/stat"));
    int end = line.lastIndexOf(')');
    if (end < 0) {
      return 0;
    }
    String[] fields = line.substring(end + 2).split(" ", 16);
    long ticks = 0;
    for (int i = 11; i <= 14 && i < fields.length; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return ticks;
  }

  /** Memory of a process in which shared pages count in part; its resident memory if unknown. */
  static long proportionalBytes(int pid) {
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
