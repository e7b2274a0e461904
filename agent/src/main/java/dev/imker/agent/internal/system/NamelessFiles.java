package dev.imker.agent.internal.system;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What processes keep in files that they have open and that have no name: files that were deleted,
 * and files of memory. No folder shows them, and no process has to have mapped them.
 */
public record NamelessFiles(long memoryBytes, long diskBytes) {
  private static final NamelessFiles NONE = new NamelessFiles(0, 0);
  private static final @Nullable MethodHandle STATX =
      Libc.load().isPresent()
          ? Libc.bind("statx", Libc.ofInt(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS))
          : null;

  // Of struct statx, which is the same everywhere.
  private static final int BASIC = 0x7ff;
  private static final long BYTES = 256;
  private static final long MODE = 28;
  private static final long NUMBER = 32;
  private static final long BLOCKS = 48;
  private static final long DEVICE = 136;
  private static final int REGULAR = 0x8000;
  private static final int BLOCK_BYTES = 512;

  /** A file counts once, however many of the processes have it. */
  public static NamelessFiles of(List<Integer> pids) {
    if (STATX == null) {
      return NONE;
    }
    NamelessFiles all = NONE;
    Set<List<Long>> seen = new HashSet<>();
    for (int pid : pids) {
      try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
        for (Path descriptor : open) {
          all = all.with(descriptor, seen);
        }
      } catch (IOException | RuntimeException e) {
        // It is gone.
      }
    }
    return all;
  }

  private NamelessFiles with(Path descriptor, Set<List<Long>> seen) {
    String name;
    try {
      name = Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return this; // closed meanwhile
    }
    if (!name.endsWith(" (deleted)")) {
      return this;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(BYTES, Long.BYTES);
      MemorySegment path = CStrings.string(arena, descriptor.toString());
      if (STATX == null
          || (int) STATX.invokeExact(0, path, 0, BASIC, found) != 0
          || (found.get(JAVA_SHORT, MODE) & 0xf000) != REGULAR
          || !seen.add(List.of(found.get(JAVA_LONG, DEVICE), found.get(JAVA_LONG, NUMBER)))) {
        return this;
      }
      long bytes = found.get(JAVA_LONG, BLOCKS) * BLOCK_BYTES;
      return name.startsWith("/memfd:")
          ? new NamelessFiles(memoryBytes + bytes, diskBytes)
          : new NamelessFiles(memoryBytes, diskBytes + bytes);
    } catch (Throwable e) {
      throw new IllegalStateException("statx", e);
    }
  }
}
