package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks in a sandbox made by bubblewrap, or by our own program that takes its options: the system's
 * own folders read-only, the task's two folders as {@code /work} and {@code /tmp}, a process table
 * of its own, no network unless it is granted, and nothing else. Home directories, the agent's
 * folder and other tasks do not exist there.
 *
 * <p>The sandbox ends with the process group of its first process, so killing a task needs no extra
 * work: when the first process of a process table dies, the kernel kills the rest.
 */
public final class Bubblewrap implements Confinement {
  private static final Logger LOG = LoggerFactory.getLogger(Bubblewrap.class);

  /** The path of the work folder inside; the second if the first is in use on the machine. */
  private static final List<String> WORK = List.of("/work", "/imker-work");

  static final String TEMPORARY = "/tmp";

  /** What descriptors hold. */
  private static final int OPTIONS = ProcessSpec.FIRST_HANDED;

  private static final int FILTER = OPTIONS + 1;
  private static final int SCRIPT = FILTER + 1;

  /** Bubblewrap accepts 9000, including those of its command line. */
  private static final int MAX_WORDS = 8_500;

  private static final long TRIAL_SECONDS = 20;

  /** The program for becoming another user without any capabilities. */
  private static final List<String> BECOMING_ANOTHER =
      List.of("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP");

  private final SandboxMaker maker;
  private final SystemView system;
  private final Optional<TaskUser> user;
  private final Optional<byte[]> filter;
  private final Optional<OutgoingNetwork> outgoing;
  private final String work;
  private final List<String> troubles;
  private final List<String> fixed = new ArrayList<>();

  /**
   * @param troubles why what is preferred to this maker is not used
   */
  private Bubblewrap(
      SandboxMaker maker,
      SystemView system,
      Optional<TaskUser> user,
      Optional<OutgoingNetwork> outgoing,
      List<String> troubles) {
    this.troubles = List.copyOf(troubles);
    this.outgoing = outgoing;
    this.maker = maker;
    this.system = system;
    this.work = WORK.stream().filter(system::leavesFree).findFirst().orElse(WORK.getLast());
    this.user = user.map(base -> base.numbered(TaskUser.Traces.NOTHING));
    this.filter = SystemCallFilter.ofThisMachine();
    fixed.addAll(
        List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"));
    if (!maker.own()) {
      fixed.addAll(List.of("--cap-drop", "ALL"));
    }
    if (user.isEmpty()) {
      fixed.add("--unshare-user");
      if (maker.closesUserNamespaces()) {
        fixed.add("--disable-userns");
      }
    } else if (!maker.own()) {
      BECOMING_ANOTHER.forEach(right -> fixed.addAll(List.of("--cap-add", right)));
    }
    fixed.addAll(system.arguments());
    fixed.addAll(List.of("--proc", "/proc"));
    if (user.isEmpty() && TaskUser.isRoot()) {
      // Root's user id may write there, whatever capabilities were dropped.
      fixed.addAll(List.of("--ro-bind", "/proc/sys", "/proc/sys"));
    }
    fixed.addAll(List.of("--dev", "/dev"));
    fixed.addAll(system.devices());
    fixed.addAll(List.of("--dir", "/var", "--symlink", TEMPORARY, "/var/tmp"));
    if (filter.isPresent()) {
      fixed.addAll(List.of("--seccomp", Integer.toString(FILTER)));
    }
  }

  /** The result of setting it up: a sandbox, or the reason why there is none. */
  public record Attempt(Optional<Bubblewrap> sandbox, String reason) {}

  /**
   * Finds and tries a sandbox program: a system may have it but forbid what it needs.
   *
   * @param view the visible part of the machine
   * @param user whom tasks run as, if not as the agent's own user
   * @param outgoing the network of tasks that may use it; without it, the machine's own
   */
  static Attempt find(
      Programs programs,
      SystemView.Wanted view,
      Optional<TaskUser> user,
      Optional<OutgoingNetwork> outgoing) {
    return find(SandboxMaker.all(programs), view, user, outgoing);
  }

  static Attempt find(
      List<SandboxMaker> makers,
      SystemView.Wanted view,
      Optional<TaskUser> user,
      Optional<OutgoingNetwork> outgoing) {
    List<String> troubles = new ArrayList<>();
    try {
      SystemView system = SystemView.of(view, user.isPresent());
      for (SandboxMaker maker : makers) {
        Bubblewrap sandbox = new Bubblewrap(maker, system, user, outgoing, troubles);
        String found = sandbox.tryOut();
        if (found.isEmpty()) {
          return new Attempt(Optional.of(sandbox), "");
        }
        troubles.add((maker.own() ? maker : "bubblewrap") + " does not work here: " + found);
      }
      if (makers.stream().allMatch(SandboxMaker::own)) {
        troubles.add("bubblewrap (bwrap) is not installed");
      }
      return new Attempt(Optional.empty(), String.join("; ", troubles));
    } catch (IOException | StartFailedException e) {
      return new Attempt(Optional.empty(), "a sandbox cannot be tried: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt(Optional.empty(), "interrupted");
    }
  }

  /** Runs something in it, the way tasks are run. */
  private String tryOut() throws IOException, InterruptedException {
    Path scratch = Files.createTempDirectory("imker-sandbox");
    try {
      Path work = Files.createDirectory(scratch.resolve("work"));
      if (user.isPresent()) {
        user.get().give(work);
      }
      Path out = scratch.resolve("out");
      Path err = scratch.resolve("err");
      ProcessSpec spec =
          new ProcessSpec(
              List.of("/bin/sh", "-c", "echo \"$WORDS\""),
              Map.of("PATH", "/usr/bin:/bin", "WORDS", "it works"),
              work,
              out,
              err,
              ProcessPriority.NORMAL);
      CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
      ProcessExecutor.best()
          .start(confine(spec, new Room(work, work, false, user)), exit::complete);
      exit.get(TRIAL_SECONDS, TimeUnit.SECONDS);
      if (Files.readString(out).strip().equals("it works")) {
        return "";
      }
      String trouble = Files.readString(err).strip();
      return trouble.isEmpty() ? "no answer" : trouble;
    } catch (ExecutionException | TimeoutException e) {
      return "it does not finish";
    } finally {
      WorkArea.deleteTree(scratch);
    }
  }

  /**
   * Bubblewrap itself gets an empty environment and the root folder; it reads everything of the
   * task from a descriptor and passes it to the task. So values of variables do not appear in
   * process lists either.
   */
  @Override
  public ProcessSpec confine(ProcessSpec spec, Room room) {
    TaskPrograms.check(spec, room.work(), place(room)).ifPresent(this::checkVisible);
    List<String> options = new ArrayList<>(fixed.size() + 3 * spec.env().size() + 32);
    Optional<OutgoingNetwork> own = room.network() ? outgoing : Optional.empty();
    Optional<String> resolvers = own.flatMap(OutgoingNetwork::resolvers);
    addRoom(options, room, resolvers.isPresent());
    Map<String, String> env = inside(spec.env(), room);
    options.add("--clearenv");
    List<String> command = new ArrayList<>(spec.command().size() + 20);
    command.addAll(List.of(maker.program(), "--args", Integer.toString(OPTIONS), "--"));
    List<byte[]> handed = new ArrayList<>();
    Optional<TaskUser> as = room.user().or(() -> user);
    boolean byScript = as.isPresent() && !maker.own();
    if (byScript) {
      command.addAll(as.get().becoming(SCRIPT));
      terminated(List.copyOf(env.values()));
    } else {
      as.ifPresent(one -> options.addAll(List.of("--user", Integer.toString(one.id()))));
      env.forEach((name, value) -> options.addAll(List.of("--setenv", name, value)));
    }
    command.addAll(spec.command());
    handed.add(terminated(options));
    handed.add(filter.orElse(new byte[0]));
    if (byScript) {
      handed.add(TaskUser.script(SCRIPT, place(room), env).getBytes(StandardCharsets.UTF_8));
    }
    resolvers.ifPresent(text -> handed.add(text.getBytes(StandardCharsets.UTF_8)));
    return spec.by(
        own.isPresent() ? own.get().around(command) : command, marks(spec.env()), handed);
  }

  /** The mark by which the agent recognises its processes. */
  private static Map<String, String> marks(Map<String, String> env) {
    String mark = env.get(ProcessSpec.MARK);
    return mark == null ? Map.of() : Map.of(ProcessSpec.MARK, mark);
  }

  private static byte[] terminated(List<String> words) {
    if (words.size() > MAX_WORDS) {
      throw new StartFailedException(
          "The task has too many variables and input files for a sandbox ("
              + words.size()
              + " words of at most "
              + MAX_WORDS
              + ").");
    }
    StringBuilder text = new StringBuilder();
    for (String word : words) {
      if (word.indexOf('\0') >= 0) {
        throw new StartFailedException(
            "The command or its environment contains a NUL character, which no program can take.");
      }
      text.append(word).append('\0');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void addRoom(List<String> options, Room room, boolean resolvers) {
    options.addAll(fixed);
    if (!room.network()) {
      options.add("--unshare-net");
    }
    String temporary = room.temporary().toString();
    options.addAll(List.of("--bind", temporary, TEMPORARY, "--bind", temporary, "/dev/shm"));
    options.addAll(system.further());
    String place = place(room);
    for (int slash = place.indexOf('/', 1); slash > 0; slash = place.indexOf('/', slash + 1)) {
      options.addAll(List.of("--dir", place.substring(0, slash)));
    }
    options.addAll(List.of("--bind", room.work().toString(), place));
    room.mounts()
        .forEach(
            (path, file) ->
                options.addAll(List.of("--ro-bind", file.toString(), place + "/" + path)));
    room.sockets()
        .forEach(
            (path, socket) ->
                options.addAll(List.of("--dir", "/run", "--bind", socket.toString(), path)));
    if (resolvers) {
      int descriptor = user.isPresent() && !maker.own() ? SCRIPT + 1 : SCRIPT;
      options.addAll(
          List.of("--ro-bind-data", Integer.toString(descriptor), SystemView.resolverFile()));
    }
    // Leftovers would take memory of the machine, which no folder limit counts.
    options.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/"));
    if (user.isEmpty() || maker.own()) {
      options.addAll(
          List.of("--chdir", place)); // bubblewrap does it earlier, and only the task's user may
    }
  }

  /** The path of the work folder as seen by the task. */
  private String place(Room room) {
    return room.name().isEmpty() ? work : work + "/" + room.name();
  }

  @Override
  public boolean mounts() {
    return true;
  }

  /** Translates paths of the task's folders from outside to inside. */
  private Map<String, String> inside(Map<String, String> env, Room room) {
    Map<String, String> inside = new LinkedHashMap<>(env);
    String outside = room.work().toString();
    String temporary = room.temporary().toString();
    inside.replaceAll(
        (_, value) ->
            value.equals(outside)
                ? place(room)
                : value.equals(temporary) || value.startsWith(temporary + "/")
                    ? TEMPORARY + value.substring(temporary.length())
                    : value);
    return inside;
  }

  private void checkVisible(Path place) {
    if (!system.shows(place)) {
      throw new StartFailedException(
          place
              + " exists on this node, but is not visible in the sandbox: its owner can add"
              + " its folder to 'show' in the policy.");
    }
  }

  @Override
  public boolean hasUsers() {
    return user.isPresent();
  }

  @Override
  public Optional<TaskUser> user() {
    try {
      return user.isPresent() ? Optional.of(user.get().another()) : user;
    } catch (IOException | ImkerException e) {
      LOG.debug("Tasks share a user, in sandboxes of their own", e);
      return user;
    }
  }

  @Override
  public void close() throws IOException {
    if (user.isPresent()) {
      user.get().close();
    }
  }

  @Override
  public boolean closesNetwork() {
    return true;
  }

  @Override
  public boolean hasOutgoing() {
    return outgoing.isPresent();
  }

  @Override
  public String inWords() {
    String words = maker.toString();
    if (!troubles.isEmpty()) {
      words += " (" + String.join("; ", troubles) + ")";
    }
    if (user.isPresent()) {
      words += ", each task runs as its own user";
    } else if (TaskUser.isRoot()) {
      words += ", tasks run as root without privileges, because setpriv is missing";
    }
    words += outgoing.map(network -> ", " + network.inWords()).orElse("");
    return filter.isPresent() ? words : words + ", system calls are not filtered";
  }
}
