package dev.imker.agent.internal.system;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The words that this process was started with, which every user of the machine can read. */
public final class OwnArguments {
  private static final int ARG_START = 45; // fields after the name of the program
  private static final int ARG_END = 46;

  private OwnArguments() {}

  /** Puts asterisks in the place of a secret, where the system lets us; false if it stays. */
  @SuppressWarnings("restricted")
  public static boolean hide(String secret) {
    byte[] wanted = secret.getBytes(StandardCharsets.UTF_8);
    if (wanted.length == 0 || Libc.load().isEmpty()) {
      return false;
    }
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long start = Long.parseLong(fields[ARG_START]);
      long end = Long.parseLong(fields[ARG_END]);
      if (start == 0 || end <= start) {
        return false;
      }
      return overwrite(MemorySegment.ofAddress(start).reinterpret(end - start), wanted);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static boolean overwrite(MemorySegment words, byte[] wanted) {
    MemorySegment pattern = MemorySegment.ofArray(wanted);
    boolean found = false;
    for (long at = 0; at + wanted.length <= words.byteSize(); at++) {
      MemorySegment place = words.asSlice(at, wanted.length);
      if (words.get(ValueLayout.JAVA_BYTE, at) == wanted[0] && place.mismatch(pattern) < 0) {
        place.fill((byte) '*');
        found = true;
      }
    }
    return found;
  }
}
