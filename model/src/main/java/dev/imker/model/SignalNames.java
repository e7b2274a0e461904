package dev.imker.model;

import java.util.Map;

/** Names of the signals that end processes and have the same number on Linux and macOS. */
public final class SignalNames {
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(5, "SIGTRAP"),
          Map.entry(6, "SIGABRT"),
          Map.entry(8, "SIGFPE"),
          Map.entry(9, "SIGKILL"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"),
          Map.entry(24, "SIGXCPU"),
          Map.entry(25, "SIGXFSZ"));

  private static final int SHELL_OFFSET = 128;

  private SignalNames() {}

  /** Its name, or "signal 77" where it has none here. */
  public static String of(int signal) {
    return NAMES.getOrDefault(signal, "signal " + signal);
  }

  /** An exit code in words; shells report 128 + N if signal N killed their program. */
  public static String ofExitCode(int exitCode) {
    String name = NAMES.get(exitCode - SHELL_OFFSET);
    return "exit code " + exitCode + (name == null ? "" : " (killed by " + name + ")");
  }
}
