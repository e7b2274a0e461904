package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.StartFailedException;
import dev.imker.agent.internal.work.WorkArea;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tasks in a sandbox made by bubblewrap: the system's own folders read-only, the task's two folders
 * as {@code /work} and {@code /tmp}, a process table of its own, no network unless it is granted,
 * and nothing else. Homes, the agent's folder and other tasks do not exist there.
 *
 * <p>The sandbox ends with the process group of its first process, so killing a task needs nothing
 * new: when the first process of a process table dies, the kernel kills the rest.
 */
public final class Bubblewrap implements Confinement {
  static final String WORK = "/work";
  static final String TEMPORARY = "/tmp";

  private final String program;
  private final String version;
  private final SystemView system;
  private final List<String> fixed = new ArrayList<>();

  private Bubblewrap(Path program, String version, SystemView system) {
    this.program = program.toString();
    this.version = version;
    this.system = system;
    fixed.addAll(
        List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"));
    fixed.addAll(system.arguments());
    fixed.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
    fixed.addAll(system.devices());
  }

  /** What came of the attempt to set it up: a sandbox, or the reason why there is none. */
  public record Attempt(Optional<Bubblewrap> sandbox, String reason) {}

  /**
   * Looks for bubblewrap and tries it: systems may have it and yet forbid what it needs.
   *
   * @param show further folders to be seen, read-only
   */
  public static Attempt find(Programs programs, List<Path> show) {
    Optional<Path> program = programs.find("bwrap");
    if (program.isEmpty()) {
      return new Attempt(Optional.empty(), "bubblewrap (bwrap) is not installed");
    }
    try {
      String version =
          Programs.ask(List.of(program.get().toString(), "--version"))
              .replace("bubblewrap", "")
              .strip();
      Bubblewrap sandbox = new Bubblewrap(program.get(), version, SystemView.of(show));
      String trouble = sandbox.tryOut();
      return trouble.isEmpty()
          ? new Attempt(Optional.of(sandbox), "")
          : new Attempt(Optional.empty(), "bubblewrap does not work here: " + trouble);
    } catch (IOException e) {
      return new Attempt(Optional.empty(), "bubblewrap cannot be tried: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt(Optional.empty(), "interrupted");
    }
  }

  private String tryOut() throws IOException, InterruptedException {
    Path scratch = Files.createTempDirectory("imker-sandbox");
    try {
      List<String> command = new ArrayList<>();
      command.add(program);
      addRoom(command, new Room(scratch, scratch, false));
      command.addAll(List.of("--", "/bin/sh", "-c", "echo it works"));
      String answer = Programs.ask(command).strip();
      return answer.equals("it works") ? "" : answer.isEmpty() ? "no answer" : answer;
    } finally {
      WorkArea.deleteTree(scratch);
    }
  }

  @Override
  public ProcessSpec confine(ProcessSpec spec, Room room) {
    checkProgram(spec, room);
    List<String> command = new ArrayList<>(fixed.size() + spec.command().size() + 12);
    command.add(program);
    addRoom(command, room);
    command.add("--");
    command.addAll(spec.command());
    return spec.with(command, inside(spec.env(), room));
  }

  private void addRoom(List<String> command, Room room) {
    command.addAll(fixed);
    if (!room.network()) {
      command.add("--unshare-net");
    }
    command.addAll(List.of("--bind", room.temporary().toString(), TEMPORARY));
    command.addAll(system.further());
    String work = place(room);
    command.addAll(List.of("--bind", room.work().toString(), work, "--chdir", work));
    room.mounts()
        .forEach(
            (path, file) ->
                command.addAll(List.of("--ro-bind", file.toString(), work + "/" + path)));
  }

  /** Where the task sees its work folder. */
  private static String place(Room room) {
    return room.name().isEmpty() ? WORK : WORK + "/" + room.name();
  }

  @Override
  public boolean mounts() {
    return true;
  }

  /** What names the task's folders outside names them inside. */
  private static Map<String, String> inside(Map<String, String> env, Room room) {
    Map<String, String> inside = new LinkedHashMap<>(env);
    String work = room.work().toString();
    String temporary = room.temporary().toString();
    inside.replaceAll(
        (_, value) ->
            value.equals(work) ? place(room) : value.equals(temporary) ? TEMPORARY : value);
    return inside;
  }

  /** Says what is missing in our words, because bubblewrap's would only confuse. */
  private void checkProgram(ProcessSpec spec, Room room) {
    String name = spec.command().getFirst();
    if (name.isEmpty()) {
      throw new StartFailedException("The command has an empty program name.");
    }
    if (name.indexOf('/') < 0) {
      String path = spec.env().getOrDefault("PATH", "");
      Optional<Path> place = new Programs(path).find(name);
      if (place.isEmpty()) {
        throw new StartFailedException(
            "There is no program " + name + " on this node (PATH is " + path + ").");
      }
      checkVisible(place.get());
    } else if (name.startsWith("/") && !name.startsWith(place(room) + "/")) {
      checkVisible(Path.of(name));
    } else {
      String inWork = name.startsWith("/") ? name.substring(place(room).length() + 1) : name;
      Path file = room.work().resolve(inWork);
      if (!Files.isExecutable(file)) {
        throw new StartFailedException(
            "Could not start " + name + ": it does not exist or is not executable.");
      }
    }
  }

  private void checkVisible(Path place) {
    if (!Files.exists(place)) {
      throw new StartFailedException("There is no program " + place + " on this node.");
    }
    if (!system.shows(place)) {
      throw new StartFailedException(
          place
              + " exists on this node, but the sandbox does not show it: its owner may add its"
              + " folder to 'show' in the policy.");
    }
  }

  @Override
  public String inWords() {
    return "bubblewrap " + version;
  }
}
