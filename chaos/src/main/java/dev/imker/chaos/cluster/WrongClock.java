package dev.imker.chaos.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The clock of a process, which jumps when told to; libfaketime makes it so. */
public final class WrongClock {
  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

  private final Path offset;

  WrongClock(Path offset) {
    this.offset = offset;
    set(0);
  }

  static boolean isPossible() {
    return LIBRARIES.stream().anyMatch(Files::exists);
  }

  /** What the process needs to have this clock; time that was waited stays right. */
  Map<String, String> environment() {
    Path library = LIBRARIES.stream().filter(Files::exists).findFirst().orElseThrow();
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        offset.toString(),
        "FAKETIME_CACHE_DURATION",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // Otherwise every timed wait of a Java process ends at once, and it does nothing but that.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }

  public void set(int seconds) {
    try {
      Files.writeString(offset, (seconds < 0 ? "" : "+") + seconds + "s\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
