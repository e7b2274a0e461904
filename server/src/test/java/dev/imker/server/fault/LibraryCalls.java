package dev.imker.server.fault;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Calls that a shared library makes to the system, led to functions of ours: the addresses in the
 * library's tables, which the dynamic linker filled in, are replaced. What LD_PRELOAD does, without
 * a compiler and without another process. For 64-bit Linux.
 */
@SuppressWarnings("restricted") // memory of the library is read and written
final class LibraryCalls {
  private static final int DYNAMIC = 2;
  private static final int STRINGS = 5;
  private static final int SYMBOLS = 6;
  private static final int RELOCATIONS = 7;
  private static final int RELOCATIONS_BYTES = 8;
  private static final int PLT_RELOCATIONS_BYTES = 2;
  private static final int PLT_RELOCATIONS = 23;
  private static final int RELOCATION_SIZE = 24;
  private static final int SYMBOL_SIZE = 24;
  private static final int PAGE = 4096;
  private static final int READ_WRITE = 3;

  private final ByteBuffer file;
  private final long base;
  private final long[] dynamic = new long[32];

  private LibraryCalls(ByteBuffer file, long base) {
    this.file = file;
    this.base = base;
    int headers = (int) file.getLong(32);
    int size = file.getShort(54);
    int count = file.getShort(56);
    for (int i = 0; i < count; i++) {
      int header = headers + i * size;
      if (file.getInt(header) == DYNAMIC) {
        readDynamic((int) file.getLong(header + 8));
      }
    }
  }

  private void readDynamic(int at) {
    for (int place = at; file.getLong(place) != 0; place += 16) {
      long tag = file.getLong(place);
      if (tag < dynamic.length) {
        dynamic[(int) tag] = file.getLong(place + 8);
      }
    }
  }

  /**
   * Opens a library that this process has loaded.
   *
   * @param name part of the name of its file
   */
  static LibraryCalls of(String name) throws IOException {
    List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"));
    String first = maps.stream().filter(line -> line.contains(name)).findFirst().orElseThrow();
    long base = Long.parseUnsignedLong(first.substring(0, first.indexOf('-')), 16);
    String path = first.substring(first.indexOf('/')).replace(" (deleted)", "");
    try (RandomAccessFile file = new RandomAccessFile(path, "r")) {
      ByteBuffer content = file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, file.length());
      return new LibraryCalls(content.order(ByteOrder.LITTLE_ENDIAN), base);
    }
  }

  /** Leads the library's calls of a function to another one; returns how many places that were. */
  int lead(String function, MethodHandle to, FunctionDescriptor type) throws Throwable {
    long target = Linker.nativeLinker().upcallStub(to, type, Arena.global()).address();
    return replace(function, target, dynamic[RELOCATIONS], dynamic[RELOCATIONS_BYTES])
        + replace(function, target, dynamic[PLT_RELOCATIONS], dynamic[PLT_RELOCATIONS_BYTES]);
  }

  private int replace(String function, long target, long table, long bytes) throws Throwable {
    int places = 0;
    for (long at = table; at < table + bytes; at += RELOCATION_SIZE) {
      int symbol = (int) (file.getLong((int) at + 8) >>> 32);
      if (symbol != 0 && nameOf(symbol).equals(function)) {
        write(base + file.getLong((int) at), target);
        places++;
      }
    }
    return places;
  }

  private String nameOf(int symbol) {
    int at = (int) dynamic[STRINGS] + file.getInt((int) dynamic[SYMBOLS] + symbol * SYMBOL_SIZE);
    int end = at;
    while (file.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end - at];
    file.get(at, name);
    return new String(name, StandardCharsets.US_ASCII);
  }

  private static void write(long address, long value) throws Throwable {
    FunctionDescriptor type =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT);
    MethodHandle protect =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().find("mprotect").orElseThrow(), type);
    long page = address & -PAGE;
    int answer = (int) protect.invokeExact(page, (long) PAGE, READ_WRITE);
    if (answer != 0) {
      throw new IllegalStateException("memory of a library cannot be changed");
    }
    MemorySegment.ofAddress(address).reinterpret(8).set(ValueLayout.JAVA_LONG, 0, value);
  }
}
