package dev.imker.server.fault;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The disk under SQLite, as far as one folder goes. It counts the calls that write, and at a chosen
 * one something happens: it fails, the disk is full for a while, or the power goes. It remembers
 * what was synchronised, so that after a loss of power all else, or any part of it, is gone.
 */
@SuppressWarnings("restricted") // memory of the library is read and written
final class FaultyDisk {
  /** What happens. */
  enum Fault {
    NONE,
    /** One call fails. */
    FAILS,
    /** Nothing can be written for a while, but what is written can be synchronised. */
    FULL,
    /** The power goes, and nothing that was not synchronised is there afterwards. */
    POWER,
    /** The power goes, and of what was not synchronised some is there. */
    TORN_POWER
  }

  private static final int EIO = 5;
  private static final int ENOSPC = 28;
  private static final int FULL_CALLS = 12;

  private static final FunctionDescriptor PWRITE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor FSYNC = FunctionDescriptor.of(JAVA_INT, JAVA_INT);
  private static final FunctionDescriptor FTRUNCATE =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG);

  private static final FaultyDisk ONE = new FaultyDisk();

  /** A write, or where {@code data} is empty, a new length, that is not synchronised yet. */
  private record Write(long at, byte[] data) {}

  private static final class Image {
    byte[] synced = {};
    final List<Write> pending = new ArrayList<>();
  }

  private final MethodHandle pwrite = real("pwrite64", PWRITE);
  private final MethodHandle fsync = real("fsync", FSYNC);
  private final MethodHandle ftruncate = real("ftruncate64", FTRUNCATE);
  private final MethodHandle errno =
      real(
          "__errno_location",
          FunctionDescriptor.of(
              ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(1, JAVA_INT))));
  private boolean installed;
  private String folder = "/nowhere/";
  private Fault fault = Fault.NONE;
  private int atCall;
  private int calls;
  private int syncs;
  private boolean dead;
  private boolean lies;
  private Map<Path, Image> images = new LinkedHashMap<>();

  private FaultyDisk() {}

  private static MethodHandle real(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), type);
  }

  /** The disk under the SQLite of this process, whose library has to be loaded. */
  static synchronized FaultyDisk get() {
    try {
      if (!ONE.installed) {
        ONE.install();
        ONE.installed = true;
      }
      return ONE;
    } catch (Throwable e) {
      throw new IllegalStateException("the calls of SQLite cannot be led here", e);
    }
  }

  private void install() throws Throwable {
    LibraryCalls sqlite = LibraryCalls.of("sqlitejdbc");
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    int places =
        sqlite.lead("pwrite64", mine(lookup, "onWrite", PWRITE), PWRITE)
            * sqlite.lead("fsync", mine(lookup, "onSync", FSYNC), FSYNC)
            * sqlite.lead("ftruncate64", mine(lookup, "onTruncate", FTRUNCATE), FTRUNCATE);
    if (places == 0) {
      throw new IllegalStateException("SQLite does not call what was expected");
    }
  }

  private MethodHandle mine(MethodHandles.Lookup lookup, String name, FunctionDescriptor type)
      throws ReflectiveOperationException {
    MethodType methodType = type.toMethodType();
    return lookup.bind(this, name, methodType);
  }

  // ---------------------------------------------------------------- for tests

  /**
   * Begins to watch a folder in which everything is synchronised.
   *
   * @param call the number of the call at which it happens, from 1 on
   */
  synchronized void arm(Path watched, Fault what, int call) throws IOException {
    folder = watched.toRealPath() + "/";
    fault = what;
    atCall = call;
    calls = 0;
    syncs = 0;
    dead = false;
    images = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(watched)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        image(file.toRealPath()).synced = Files.readAllBytes(file);
      }
    }
  }

  /** Says that it has synchronised what it has not, as if nobody had asked it to. */
  synchronized void lie(boolean value) {
    lies = value;
  }

  /** Nothing happens any more. */
  synchronized void calm() {
    fault = dead ? fault : Fault.NONE;
  }

  /** How many calls there were that wrote something. */
  synchronized int calls() {
    return calls;
  }

  synchronized int syncs() {
    return syncs;
  }

  synchronized boolean isWithoutPower() {
    return dead;
  }

  /** After a loss of power: brings the files into the state in which they are found. */
  synchronized void powerOn(Random random) throws IOException {
    for (Map.Entry<Path, Image> entry : images.entrySet()) {
      Image image = entry.getValue();
      byte[] content = image.synced;
      for (Write write : image.pending) {
        if (fault == Fault.TORN_POWER && random.nextBoolean()) {
          content = apply(content, write);
        }
      }
      if (isOfDatabase(entry.getKey())) {
        Files.write(entry.getKey(), content);
      }
    }
    fault = Fault.NONE;
    dead = false;
    folder = "/nowhere/";
  }

  private static boolean isOfDatabase(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".db") || name.endsWith(".db-wal");
  }

  // ---------------------------------------------------------------- calls of SQLite

  synchronized long onWrite(int fd, MemorySegment data, long size, long at) {
    Path file = file(fd);
    if (isWatched(file) && happens(true)) {
      return fail(fault == Fault.FULL ? ENOSPC : EIO);
    }
    try {
      long written = (long) pwrite.invokeExact(fd, data, size, at);
      if (isWatched(file) && written > 0) {
        byte[] bytes = data.reinterpret(written).toArray(ValueLayout.JAVA_BYTE);
        image(file).pending.add(new Write(at, bytes));
      }
      return written;
    } catch (Throwable e) {
      return fail(EIO);
    }
  }

  synchronized int onSync(int fd) {
    Path file = file(fd);
    if (isWatched(file)) {
      if (happens(false)) {
        return (int) fail(EIO);
      }
      syncs++;
      if (lies) {
        return 0;
      }
      Image image = image(file);
      for (Write write : image.pending) {
        image.synced = apply(image.synced, write);
      }
      image.pending.clear();
      return 0; // what happens to the machine that tests run on is another matter
    }
    try {
      return (int) fsync.invokeExact(fd);
    } catch (Throwable e) {
      return (int) fail(EIO);
    }
  }

  synchronized int onTruncate(int fd, long size) {
    Path file = file(fd);
    if (isWatched(file)) {
      if (happens(true)) {
        return (int) fail(EIO);
      }
      image(file).pending.add(new Write(size, new byte[0]));
    }
    try {
      return (int) ftruncate.invokeExact(fd, size);
    } catch (Throwable e) {
      return (int) fail(EIO);
    }
  }

  private boolean happens(boolean writes) {
    calls++;
    boolean now = calls == atCall;
    return switch (fault) {
      case NONE -> false;
      case FAILS -> now;
      case FULL -> writes && calls >= atCall && calls < atCall + FULL_CALLS;
      case POWER, TORN_POWER -> {
        dead = dead || now;
        yield dead;
      }
    };
  }

  private boolean isWatched(Path file) {
    return file.toString().startsWith(folder) && isOfDatabase(file);
  }

  private long fail(int code) {
    try {
      MemorySegment place = (MemorySegment) errno.invokeExact();
      place.set(JAVA_INT, 0, code);
    } catch (Throwable e) {
      return -1;
    }
    return -1;
  }

  private Image image(Path file) {
    return images.computeIfAbsent(file, _ -> new Image());
  }

  private static Path file(int fd) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] apply(byte[] content, Write write) {
    if (write.data.length == 0) {
      return Arrays.copyOf(content, (int) write.at);
    }
    int end = (int) write.at + write.data.length;
    byte[] grown = end > content.length ? Arrays.copyOf(content, end) : content.clone();
    System.arraycopy(write.data, 0, grown, (int) write.at, write.data.length);
    return grown;
  }
}
