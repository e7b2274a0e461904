package dev.imker.agent.internal.system;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The few functions of glibc that running tasks needs, on 64-bit Linux (x86_64 and aarch64, whose
 * layouts are the same here). No function here takes more than plain numbers and pointers; those
 * that return -1 on failure do so here too.
 */
public final class Libc {
  public static final int SIGTERM = 15;
  public static final int SIGKILL = 9;
  public static final int SIGCONT = 18;
  public static final int SIGSTOP = 19;
  public static final int SIGXCPU = 24;
  public static final int SIGXFSZ = 25;
  static final int SPAWN_SETSIGDEF = 0x04;
  static final int SPAWN_SETSIGMASK = 0x08;
  static final int SPAWN_SETSID = 0x80;
  public static final int O_RDONLY = 0;
  public static final int O_WRONLY = 1;
  public static final int O_CREAT = 0x40;
  public static final int O_TRUNC = 0x200;
  public static final int O_APPEND = 0x400;
  public static final int WNOHANG = 1;

  /** Larger than the opaque structures are in any glibc (80 and 336 bytes in 2.36). */
  public static final long FILE_ACTIONS_BYTES = 256;

  public static final long SPAWN_ATTRIBUTES_BYTES = 512;
  public static final long SIGNAL_SET_BYTES = 128;

  /** Enough for 8192 cores. */
  private static final long CORES_BYTES = 1024;

  public static final long RUSAGE_BYTES = 144;

  static final int CLOSE_ON_EXEC = 0x80000;
  private static final int PR_SET_DUMPABLE = 4;
  private static final int PR_SET_CHILD_SUBREAPER = 36;
  private static final int PRIO_PGRP = 1;
  private static final long IOPRIO_WHO_PGRP = 2;
  private static final long IOPRIO_CLASS_IDLE = 3L << 13;
  private static final long SYS_PIDFD_OPEN = 434;
  private static final long SYS_OPENAT2 = 437;
  private static final int O_PATH = 0x200000;
  private static final int O_NOFOLLOW_INTEL = 0x20000;
  private static final int O_NOFOLLOW_ARM = 0x8000;
  private static final long RESOLVE_NO_MAGIC_LINKS = 0x02;
  private static final long RESOLVE_NO_LINKS = 0x04;
  private static final long RESOLVE_BENEATH = 0x08;
  private static final long OPEN_HOW_BYTES = 24;

  private static final @Nullable Libc LOADED = tryLoad();

  private final boolean intel = isIntel();
  private final long sysIoprioSet = intel ? 251 : 30;
  private final long sysMemfdCreate = intel ? 319 : 279;
  private final MethodHandle posixSpawn;
  private final MethodHandle actionsInit;
  private final MethodHandle actionsDestroy;
  private final MethodHandle actionsOpen;
  private final MethodHandle actionsDup2;
  private final MethodHandle actionsChdir;
  private final MethodHandle actionsCloseFrom;
  private final MethodHandle attrInit;
  private final MethodHandle attrFlags;
  private final MethodHandle attrSigDefault;
  private final MethodHandle attrSigMask;
  private final MethodHandle sigFill;
  private final MethodHandle wait4;
  private final MethodHandle kill;
  private final MethodHandle setPriority;
  private final MethodHandle getAffinity;
  private final MethodHandle setAffinity;
  private final MethodHandle getCpu;
  private final MethodHandle prctl;
  private final MethodHandle syscall;
  private final MethodHandle syscallOf4;
  private final MethodHandle open;
  private final boolean openingBeneath;
  private final MethodHandle read;
  private final MethodHandle write;
  private final MethodHandle seek;
  private final MethodHandle close;
  private final MethodHandle strerror;

  private Libc() {
    posixSpawn = bind("posix_spawn", ofInt(ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    actionsInit = bind("posix_spawn_file_actions_init", ofInt(ADDRESS));
    actionsDestroy = bind("posix_spawn_file_actions_destroy", ofInt(ADDRESS));
    actionsOpen =
        bind(
            "posix_spawn_file_actions_addopen",
            ofInt(ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    actionsDup2 = bind("posix_spawn_file_actions_adddup2", ofInt(ADDRESS, JAVA_INT, JAVA_INT));
    actionsChdir = bind("posix_spawn_file_actions_addchdir_np", ofInt(ADDRESS, ADDRESS));
    actionsCloseFrom = bind("posix_spawn_file_actions_addclosefrom_np", ofInt(ADDRESS, JAVA_INT));
    attrInit = bind("posix_spawnattr_init", ofInt(ADDRESS));
    attrFlags = bind("posix_spawnattr_setflags", ofInt(ADDRESS, JAVA_SHORT));
    attrSigDefault = bind("posix_spawnattr_setsigdefault", ofInt(ADDRESS, ADDRESS));
    attrSigMask = bind("posix_spawnattr_setsigmask", ofInt(ADDRESS, ADDRESS));
    sigFill = bind("sigfillset", ofInt(ADDRESS));
    wait4 = bind("wait4", ofInt(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
    kill = bind("kill", ofInt(JAVA_INT, JAVA_INT));
    setPriority = bind("setpriority", ofInt(JAVA_INT, JAVA_INT, JAVA_INT));
    getAffinity = bind("sched_getaffinity", ofInt(JAVA_INT, JAVA_LONG, ADDRESS));
    setAffinity = bind("sched_setaffinity", ofInt(JAVA_INT, JAVA_LONG, ADDRESS));
    getCpu = bind("sched_getcpu", ofInt());
    prctl =
        bind(
            "prctl",
            ofInt(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    syscall =
        bind(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    syscallOf4 =
        bind(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    open = bind("open", ofInt(ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2));
    read = bind("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    write = bind("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    seek = bind("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    close = bind("close", ofInt(JAVA_INT));
    strerror = bind("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    openingBeneath = tryOpenBeneath();
  }

  /** Empty where this is not a Linux with a glibc (2.34 or newer) that has all of it. */
  public static Optional<Libc> load() {
    return Optional.ofNullable(LOADED);
  }

  private static @Nullable Libc tryLoad() {
    boolean known = arch().equals("x86_64") || arch().equals("aarch64");
    if (!known || !System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    try {
      Libc libc = new Libc();
      int probe = libc.pidfdOpen((int) ProcessHandle.current().pid());
      if (probe < 0) {
        return null;
      }
      libc.close(probe);
      return libc;
    } catch (RuntimeException | LinkageError e) {
      return null; // a symbol is missing, or native access is denied
    }
  }

  static boolean isIntel() {
    return arch().equals("x86_64");
  }

  private static String arch() {
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return arch.equals("amd64") ? "x86_64" : arch;
  }

  @SuppressWarnings("restricted")
  static MethodHandle bind(String name, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    SymbolLookup lookup = linker.defaultLookup();
    return linker.downcallHandle(lookup.findOrThrow(name), type, options);
  }

  static FunctionDescriptor ofInt(MemoryLayout... arguments) {
    return FunctionDescriptor.of(JAVA_INT, arguments);
  }

  /** Returns 0 or the error number; never -1. */
  public int posixSpawn(
      MemorySegment pid,
      MemorySegment path,
      MemorySegment actions,
      MemorySegment attributes,
      MemorySegment argv,
      MemorySegment envp) {
    try {
      return (int) posixSpawn.invokeExact(pid, path, actions, attributes, argv, envp);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void actionsInit(MemorySegment actions) {
    try {
      check((int) actionsInit.invokeExact(actions));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void actionsDestroy(MemorySegment actions) {
    try {
      check((int) actionsDestroy.invokeExact(actions));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void addOpen(MemorySegment actions, int fd, MemorySegment path, int flags, int mode) {
    try {
      check((int) actionsOpen.invokeExact(actions, fd, path, flags, mode));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void addDup2(MemorySegment actions, int fd, int newFd) {
    try {
      check((int) actionsDup2.invokeExact(actions, fd, newFd));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** A file without a name that holds this and is read from its beginning; closed by exec. */
  public int memoryFile(byte[] content) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = CStrings.string(arena, "imker");
      int fd = checkFd((int) (long) syscall.invokeExact(sysMemfdCreate, name.address(), 1L, 0L));
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, content);
      long done = 0;
      while (done < content.length) {
        long written = write(fd, bytes.asSlice(done));
        if (written <= 0) {
          close(fd);
          throw new IllegalStateException("a file in memory could not be written");
        }
        done += written;
      }
      long _ = (long) seek.invokeExact(fd, 0L, 0);
      return fd;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void addChdir(MemorySegment actions, MemorySegment path) {
    try {
      check((int) actionsChdir.invokeExact(actions, path));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void addCloseFrom(MemorySegment actions, int firstFd) {
    try {
      check((int) actionsCloseFrom.invokeExact(actions, firstFd));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /**
   * Fills attributes for a child that leads its own session, with every signal unblocked and in its
   * default disposition. {@code signals} is scratch space of {@link #SIGNAL_SET_BYTES}.
   */
  public void initAttributes(MemorySegment attributes, MemorySegment signals) {
    try {
      check((int) attrInit.invokeExact(attributes));
      short flags = SPAWN_SETSID | SPAWN_SETSIGDEF | SPAWN_SETSIGMASK;
      check((int) attrFlags.invokeExact(attributes, flags));
      signals.fill((byte) 0);
      check((int) attrSigMask.invokeExact(attributes, signals));
      check((int) sigFill.invokeExact(signals));
      check((int) attrSigDefault.invokeExact(attributes, signals));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** The pid if it was waited for, 0 if it still runs, -1 if it is no child. */
  public int wait4(int pid, MemorySegment status, int options, MemorySegment rusage) {
    try {
      return (int) wait4.invokeExact(pid, status, options, rusage);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int kill(int pid, int signal) {
    try {
      return (int) kill.invokeExact(pid, signal);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Nice 19 and the idle I/O class for a process group; a group that is gone is no error. */
  public void lowerPriority(int group) {
    try {
      int _ = (int) setPriority.invokeExact(PRIO_PGRP, group, 19);
      long _ =
          (long)
              syscall.invokeExact(sysIoprioSet, IOPRIO_WHO_PGRP, (long) group, IOPRIO_CLASS_IDLE);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** The cores that the calling thread may run on, as the kernel writes them; null if unknown. */
  public @Nullable MemorySegment ownCores(Arena arena) {
    MemorySegment mask = arena.allocate(CORES_BYTES, Long.BYTES);
    try {
      return (int) getAffinity.invokeExact(0, CORES_BYTES, mask) == 0 ? mask : null;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** The core that the calling thread runs on at this moment; below 0 if nobody can tell. */
  public int currentCore() {
    try {
      return (int) getCpu.invokeExact();
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Keeps the calling thread, and what it starts, on these cores. */
  public void bindToCores(MemorySegment mask) {
    try {
      int _ = (int) setAffinity.invokeExact(0, mask.byteSize(), mask);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** From now on other processes of the same user can neither trace nor look into this one. */
  public boolean closeToOthers() {
    try {
      return (int) prctl.invokeExact(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L) == 0;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** From now on orphaned descendants become children of this process. */
  public boolean becomeSubreaper() {
    try {
      return (int) prctl.invokeExact(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) == 0;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int pidfdOpen(int pid) {
    try {
      return (int) (long) syscall.invokeExact(SYS_PIDFD_OPEN, (long) pid, 0L, 0L);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Whether the kernel finds files beneath a folder by itself. */
  boolean canOpenBeneath() {
    return openingBeneath;
  }

  private boolean tryOpenBeneath() {
    int root = openFolder("/");
    int proc = openBeneath(root, "proc");
    close(root);
    close(proc);
    return proc >= 0;
  }

  /** A folder to start from, not through a link in its last place; -1 if there is none. */
  int openFolder(String path) {
    int noFollow = intel ? O_NOFOLLOW_INTEL : O_NOFOLLOW_ARM;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = CStrings.string(arena, path);
      return (int) open.invokeExact(name, O_PATH | CLOSE_ON_EXEC | noFollow);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** What has this path beneath a folder, not opened for anything; -1 if links lead there. */
  int openBeneath(int folder, String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = CStrings.string(arena, path);
      MemorySegment how = arena.allocate(OPEN_HOW_BYTES, Long.BYTES);
      how.setAtIndex(JAVA_LONG, 0, O_PATH | CLOSE_ON_EXEC);
      how.setAtIndex(JAVA_LONG, 2, RESOLVE_BENEATH | RESOLVE_NO_LINKS | RESOLVE_NO_MAGIC_LINKS);
      return (int)
          (long)
              syscallOf4.invokeExact(
                  SYS_OPENAT2, (long) folder, name.address(), how.address(), OPEN_HOW_BYTES);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public long read(int fd, MemorySegment buffer) {
    try {
      return (long) read.invokeExact(fd, buffer, buffer.byteSize());
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public long write(int fd, MemorySegment buffer) {
    try {
      return (long) write.invokeExact(fd, buffer, buffer.byteSize());
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void close(int fd) {
    try {
      int _ = (int) close.invokeExact(fd);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  @SuppressWarnings("restricted")
  public String describe(int errorNumber) {
    try {
      MemorySegment text = (MemorySegment) strerror.invokeExact(errorNumber);
      return text.reinterpret(Integer.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private void check(int errorNumber) {
    if (errorNumber != 0) {
      throw new IllegalStateException(describe(errorNumber));
    }
  }

  static int checkFd(int fd) {
    if (fd < 0) {
      throw new IllegalStateException("the system gave no file descriptor");
    }
    return fd;
  }

  static RuntimeException broken(Throwable e) {
    if (e instanceof RuntimeException runtime) {
      return runtime;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("call into the C library failed", e);
  }
}
