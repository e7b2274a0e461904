package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.CStrings;
import dev.imker.agent.internal.system.Libc;
import dev.imker.agent.internal.system.StartFailedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Starts processes with {@code posix_spawn}, which does not copy the page tables of the Java
 * process, and has all of them watched by one {@link Reaper} thread. The child leads its own
 * session, opens its own output files and inherits no file descriptor.
 *
 * <p>There is one per Java process, because orphans of all tasks come to the process as a whole.
 */
public final class PosixSpawnExecutor implements ProcessExecutor {
  private static final int ENOENT = 2;
  private static final int ENOEXEC = 8;
  private static final int EACCES = 13;
  private static final int ETXTBSY = 26;
  private static final int BUSY_RETRIES = 50;
  private static final int PRIVATE_FILE = 0600;
  private static final int WRITE_FLAGS =
      Libc.O_WRONLY | Libc.O_CREAT | Libc.O_TRUNC | Libc.O_APPEND;

  private final Libc libc;
  private final ControlGroups.Attempt groups = ControlGroups.find();
  private final Reaper reaper;
  private final ProgramPath programs = new ProgramPath();
  private final MemorySegment attributes;
  private final MemorySegment devNull;

  private PosixSpawnExecutor(Libc libc) {
    this.libc = libc;
    this.attributes = Arena.global().allocate(Libc.SPAWN_ATTRIBUTES_BYTES, 16);
    this.devNull = CStrings.string(Arena.global(), "/dev/null");
    try (Arena scratch = Arena.ofConfined()) {
      libc.initAttributes(attributes, scratch.allocate(Libc.SIGNAL_SET_BYTES, 8));
    }
    this.reaper = new Reaper(libc, groups.groups());
    reaper.begin();
  }

  private static final class Shared {
    static final PosixSpawnExecutor INSTANCE = new PosixSpawnExecutor(Libc.load().orElseThrow());
  }

  public static boolean isSupported() {
    return Libc.load().isPresent();
  }

  public static PosixSpawnExecutor shared() {
    return Shared.INSTANCE;
  }

  /** Keeps other processes of the same user from looking into this one; false if that failed. */
  public boolean closeToOthers() {
    return libc.closeToOthers();
  }

  @Override
  public BitSet cores() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = libc.ownCores(arena);
      BitSet cores =
          mask == null ? new BitSet() : BitSet.valueOf(mask.toArray(ValueLayout.JAVA_LONG));
      // A container that has a share of many cores would sit on the same few as all the others.
      boolean shared = cores.cardinality() != Runtime.getRuntime().availableProcessors();
      return shared ? new BitSet() : cores;
    }
  }

  @Override
  public int currentCore() {
    return libc.currentCore();
  }

  @Override
  public String groupsInWords() {
    return groups.inWords();
  }

  /** Removes groups of tasks whose leases begin so, and kills what is in them. */
  void killLeftovers(String leasePrefix) {
    groups.groups().ifPresent(found -> found.killLeftovers(leasePrefix));
  }

  @Override
  public TaskProcess start(ProcessSpec spec, Consumer<ProcessExit> onExit) {
    String program = programs.resolve(spec.command().getFirst(), spec.env());
    int pid;
    List<Integer> handed = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      for (byte[] content : spec.handed()) {
        handed.add(libc.memoryFile(content));
      }
      MemorySegment actions = actions(arena, spec, handed);
      try {
        pid = spawn(arena, spec, program, actions);
      } finally {
        libc.actionsDestroy(actions);
      }
    } finally {
      handed.forEach(libc::close);
    }
    if (spec.priority() == ProcessPriority.LOWEST) {
      libc.lowerPriority(pid);
    }
    return reaper.watch(pid, spec, onExit);
  }

  private MemorySegment actions(Arena arena, ProcessSpec spec, List<Integer> handed) {
    MemorySegment actions = arena.allocate(Libc.FILE_ACTIONS_BYTES, 16);
    libc.actionsInit(actions);
    Path stdin = spec.stdin();
    libc.addOpen(actions, 0, stdin == null ? devNull : path(arena, stdin), Libc.O_RDONLY, 0);
    libc.addOpen(actions, 1, path(arena, spec.stdout()), WRITE_FLAGS, PRIVATE_FILE);
    libc.addOpen(actions, 2, path(arena, spec.stderr()), WRITE_FLAGS, PRIVATE_FILE);
    int next = ProcessSpec.FIRST_HANDED;
    for (int fd : handed) {
      libc.addDup2(actions, fd, next++);
    }
    libc.addCloseFrom(actions, next);
    libc.addChdir(actions, path(arena, spec.folder()));
    return actions;
  }

  private static MemorySegment path(Arena arena, Path path) {
    return CStrings.string(arena, path.toAbsolutePath().toString());
  }

  private int spawn(Arena arena, ProcessSpec spec, String program, MemorySegment actions) {
    MemorySegment envp = CStrings.array(arena, environment(spec.env()));
    MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
    String path = program;
    int error = spawn(arena, pid, path, spec, actions, envp);
    for (int i = 0; error == ETXTBSY && i < BUSY_RETRIES; i++) {
      // Another child, just being started, still holds the file that we wrote a moment ago.
      LockSupport.parkNanos(1_000_000);
      error = spawn(arena, pid, path, spec, actions, envp);
    }
    if (error == ENOENT && programs.forget(spec.command().getFirst(), spec.env())) {
      path = programs.resolve(spec.command().getFirst(), spec.env());
      error = spawn(arena, pid, path, spec, actions, envp);
    }
    if (error == ENOEXEC) {
      // A script without a first line that names its interpreter: the shell's, as execvp has it.
      List<String> viaShell = new ArrayList<>(List.of(SystemLimits.SHELL, path));
      viaShell.addAll(spec.command().subList(1, spec.command().size()));
      error = spawn(arena, pid, SystemLimits.SHELL, viaShell, spec, actions, envp);
    }
    if (error != 0) {
      throw failed(spec, path, error);
    }
    return pid.get(ValueLayout.JAVA_INT, 0);
  }

  private int spawn(
      Arena arena,
      MemorySegment pid,
      String path,
      ProcessSpec spec,
      MemorySegment actions,
      MemorySegment envp) {
    List<String> limited =
        new ArrayList<>(SystemLimits.before(spec.folder().resolve(path), spec.limits()));
    if (limited.isEmpty()) {
      return spawn(arena, pid, path, spec.command(), spec, actions, envp);
    }
    limited.add(path);
    limited.addAll(spec.command().subList(1, spec.command().size()));
    return spawn(arena, pid, SystemLimits.SHELL, limited, spec, actions, envp);
  }

  private int spawn(
      Arena arena,
      MemorySegment pid,
      String path,
      List<String> words,
      ProcessSpec spec,
      MemorySegment actions,
      MemorySegment envp) {
    MemorySegment file = CStrings.string(arena, path);
    MemorySegment argv = CStrings.array(arena, words);
    MemorySegment former = spec.cores().isEmpty() ? null : libc.ownCores(arena);
    if (former == null) {
      return libc.posixSpawn(pid, file, actions, attributes, argv, envp);
    }
    // What is started has the cores of the thread that starts it.
    MemorySegment cores = arena.allocateFrom(ValueLayout.JAVA_LONG, spec.cores().toLongArray());
    libc.bindToCores(cores);
    try {
      return libc.posixSpawn(pid, file, actions, attributes, argv, envp);
    } finally {
      libc.bindToCores(former);
    }
  }

  private static List<String> environment(Map<String, String> env) {
    List<String> entries = new ArrayList<>(env.size());
    env.forEach((name, value) -> entries.add(name + "=" + value));
    return entries;
  }

  private StartFailedException failed(ProcessSpec spec, String path, int error) {
    if (!Files.isDirectory(spec.folder())) {
      return new StartFailedException("The work folder " + spec.folder() + " is gone.", true);
    }
    String hint = "";
    if (error == ENOENT && Files.exists(spec.folder().resolve(path))) {
      hint = " (the file is there: the interpreter named in its first line is not)";
    }
    return new StartFailedException(
        "Could not start " + path + ": " + libc.describe(error) + hint + ".",
        error != ENOENT && error != EACCES && error != ENOEXEC);
  }
}
