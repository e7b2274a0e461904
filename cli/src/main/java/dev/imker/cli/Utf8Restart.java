package dev.imker.cli;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Starts this very command again, in the same process, with names in UTF-8. How Java reads and
 * writes the names of files and its arguments is fixed by the locale that it was started in; in
 * that of C, where services and containers often begin, it cannot express anything but ASCII, and
 * no option changes that. Only execve with another environment does.
 */
final class Utf8Restart {
  /** Set in the second start, so that there is no third. */
  private static final String DONE = "IMKER_UTF8_RESTART";

  private static final List<String> REPLACED = List.of("LC_ALL=", DONE + "=");
  private static final Path OWN = Path.of("/proc/self");

  private Utf8Restart() {}

  /** Returns if names are in UTF-8, or if nothing can be done about it. */
  static void ifNeeded() {
    String encoding = System.getProperty("sun.jnu.encoding", "");
    boolean isLinux = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux");
    if (encoding.equalsIgnoreCase("UTF-8") || !isLinux || System.getenv(DONE) != null) {
      return;
    }
    try {
      execute();
    } catch (Throwable e) {
      // Goes on as it is: names that cannot be expressed are told where they turn up.
      System.err.println("imker: file names are not read as UTF-8; set LC_ALL=C.UTF-8 (" + e + ")");
    }
  }

  @SuppressWarnings("restricted") // the launcher enables native access
  private static void execute() throws Throwable {
    String program = Files.readSymbolicLink(OWN.resolve("exe")).toString();
    List<byte[]> environment = new ArrayList<>();
    for (byte[] variable : strings(OWN.resolve("environ"))) {
      String text = new String(variable, StandardCharsets.ISO_8859_1);
      if (REPLACED.stream().noneMatch(text::startsWith)) {
        environment.add(variable);
      }
    }
    environment.add("LC_ALL=C.UTF-8".getBytes(StandardCharsets.US_ASCII));
    environment.add((DONE + "=1").getBytes(StandardCharsets.US_ASCII));
    Linker linker = Linker.nativeLinker();
    MethodHandle execve =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("execve"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      int failed =
          (int)
              execve.invokeExact(
                  string(arena, program.getBytes(StandardCharsets.UTF_8)),
                  table(arena, strings(OWN.resolve("cmdline"))),
                  table(arena, environment));
      throw new IOException("execve returned " + failed);
    }
  }

  /** Strings that end with a zero each, as the system keeps them: bytes, not text. */
  private static List<byte[]> strings(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    List<byte[]> strings = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < all.length; i++) {
      if (all[i] == 0) {
        strings.add(Arrays.copyOfRange(all, begin, i));
        begin = i + 1;
      }
    }
    return strings;
  }

  private static MemorySegment string(Arena arena, byte[] bytes) {
    MemorySegment string = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, string, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return string;
  }

  private static MemorySegment table(Arena arena, List<byte[]> strings) {
    MemorySegment table = arena.allocate(ValueLayout.ADDRESS, strings.size() + 1L);
    for (int i = 0; i < strings.size(); i++) {
      table.setAtIndex(ValueLayout.ADDRESS, i, string(arena, strings.get(i)));
    }
    return table;
  }
}
