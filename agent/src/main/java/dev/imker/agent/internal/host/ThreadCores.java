package dev.imker.agent.internal.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Keeps threads of a task host on the cores of their task, together with the threads that they
 * begin. Only a thread itself is ever asked: to find the threads of another process costs too much.
 */
final class ThreadCores {
  private static final long MASK_BYTES = 128;

  private ThreadCores() {}

  /** The system's function, and where the process may run as a whole. */
  private record Affinity(MethodHandle setter, long[] usual) {
    static final Optional<Affinity> OF_SYSTEM = find();

    private static Optional<Affinity> find() {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
        int written = (int) handle("sched_getaffinity").invokeExact(0, MASK_BYTES, mask);
        return written < 0
            ? Optional.empty()
            : Optional.of(new Affinity(handle("sched_setaffinity"), mask.toArray(JAVA_LONG)));
      } catch (Throwable e) { // such as a system without these functions
        return Optional.empty();
      }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(String name) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(name),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    }
  }

  /** The first call takes long. */
  static void warmUp() {
    var _ = Affinity.OF_SYSTEM.isPresent();
  }

  /**
   * From now on the calling thread runs on these cores.
   *
   * @param mask a bit for each; none: on all that the process has
   */
  static void bind(long[] mask) {
    Affinity affinity = Affinity.OF_SYSTEM.orElse(null);
    if (affinity == null) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment cores = arena.allocateFrom(JAVA_LONG, mask.length == 0 ? affinity.usual : mask);
      int _ = (int) affinity.setter.invokeExact(0, cores.byteSize(), cores);
    } catch (Throwable e) {
      throw new IllegalStateException("a function that takes three numbers", e);
    }
  }
}
