package dev.imker.agent.internal.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job object of Windows around a process and its descendants: the kernel keeps the limits of
 * memory, processor time and processes, and counts the peak of memory. What was started before the
 * process was put into it stays outside.
 *
 * <p>Written after the documentation of the Windows API for 64-bit systems, and never run on one;
 * whatever goes wrong here leaves tasks as they are without it.
 */
final class WindowsJob implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WindowsJob.class);

  private static final int SUSPEND_RESUME = 0x0800; // PROCESS_SUSPEND_RESUME
  private static final int SET_QUOTA_AND_TERMINATE = 0x0101;
  private static final int EXTENDED_LIMITS = 9; // JobObjectExtendedLimitInformation

  // JOBOBJECT_EXTENDED_LIMIT_INFORMATION
  private static final long BYTES = 144;
  private static final long JOB_TIME_AT = 8;
  private static final long FLAGS_AT = 16;
  private static final long PROCESSES_AT = 40;
  private static final long JOB_MEMORY_AT = 120;
  private static final long PEAK_AT = 136;
  private static final int JOB_TIME = 0x4;
  private static final int PROCESSES = 0x8;
  private static final int JOB_MEMORY = 0x200;
  private static final long TIME_UNITS_PER_SECOND = 10_000_000;

  private final MemorySegment handle;

  private WindowsJob(MemorySegment handle) {
    this.handle = handle;
  }

  @SuppressWarnings("restricted")
  private static Object call(
      String library, String function, MemoryLayout result, MemoryLayout[] types, Object... values)
      throws Throwable {
    MethodHandle method =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(function),
                FunctionDescriptor.of(result, types));
    return method.invokeWithArguments(values);
  }

  private static MemoryLayout[] takes(MemoryLayout... types) {
    return types;
  }

  private static MemorySegment open(long pid, int rights) throws Throwable {
    return (MemorySegment)
        call(
            "kernel32",
            "OpenProcess",
            ADDRESS,
            takes(JAVA_INT, JAVA_INT, JAVA_INT),
            rights,
            0,
            (int) pid);
  }

  private static void close(MemorySegment handle) throws Throwable {
    call("kernel32", "CloseHandle", JAVA_INT, takes(ADDRESS), handle);
  }

  /** Puts a process into a job of its own; null where that cannot be done. */
  static @Nullable WindowsJob hold(long pid, ProcessLimits limits) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment job =
          (MemorySegment)
              call(
                  "kernel32",
                  "CreateJobObjectW",
                  ADDRESS,
                  takes(ADDRESS, ADDRESS),
                  MemorySegment.NULL,
                  MemorySegment.NULL);
      MemorySegment process = open(pid, SET_QUOTA_AND_TERMINATE);
      call(
          "kernel32",
          "SetInformationJobObject",
          JAVA_INT,
          takes(ADDRESS, JAVA_INT, ADDRESS, JAVA_INT),
          job,
          EXTENDED_LIMITS,
          information(limits, arena),
          (int) BYTES);
      int held =
          (int)
              call(
                  "kernel32",
                  "AssignProcessToJobObject",
                  JAVA_INT,
                  takes(ADDRESS, ADDRESS),
                  job,
                  process);
      close(process);
      if (held == 0) {
        close(job);
        return null;
      }
      return new WindowsJob(job);
    } catch (Throwable e) {
      LOG.debug("Process {} has no job object", pid, e);
      return null;
    }
  }

  /** The kernel allows an eighth more memory, so that whoever looks sees the limit exceeded. */
  static MemorySegment information(ProcessLimits limits, Arena arena) {
    MemorySegment information = arena.allocate(BYTES, Long.BYTES);
    int flags = 0;
    if (limits.cpuSeconds() > 0) {
      flags |= JOB_TIME;
      information.set(JAVA_LONG, JOB_TIME_AT, limits.cpuSeconds() * TIME_UNITS_PER_SECOND);
    }
    if (limits.processes() > 0) {
      flags |= PROCESSES;
      information.set(JAVA_INT, PROCESSES_AT, limits.processes());
    }
    if (limits.memoryBytes() > 0) {
      flags |= JOB_MEMORY;
      information.set(JAVA_LONG, JOB_MEMORY_AT, limits.memoryBytes() + limits.memoryBytes() / 8);
    }
    information.set(JAVA_INT, FLAGS_AT, flags);
    return information;
  }

  /** The most memory that all of it together has used; 0 if that cannot be told. */
  long peakBytes() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment information = arena.allocate(BYTES, Long.BYTES);
      call(
          "kernel32",
          "QueryInformationJobObject",
          JAVA_INT,
          takes(ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS),
          handle,
          EXTENDED_LIMITS,
          information,
          (int) BYTES,
          MemorySegment.NULL);
      return information.get(JAVA_LONG, PEAK_AT);
    } catch (Throwable e) {
      LOG.debug("The memory use of a job object is unknown", e);
      return 0;
    }
  }

  /** Freezes one process, or lets it go on. */
  static boolean suspend(long pid, boolean on) {
    try {
      MemorySegment process = open(pid, SUSPEND_RESUME);
      String function = on ? "NtSuspendProcess" : "NtResumeProcess";
      int status = (int) call("ntdll", function, JAVA_INT, takes(ADDRESS), process);
      close(process);
      return status == 0;
    } catch (Throwable e) {
      LOG.debug("Process {} cannot be frozen", pid, e);
      return false;
    }
  }

  @Override
  public void close() {
    try {
      close(handle);
    } catch (Throwable e) {
      LOG.debug("A job object could not be closed", e);
    }
  }
}
