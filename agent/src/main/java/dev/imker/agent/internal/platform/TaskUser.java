package dev.imker.agent.internal.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The user of a task under a root agent: without a home directory, a password or any files except
 * the task's own. So tasks cannot read what the agent can, with or without a sandbox.
 */
public final class TaskUser {
  /**
   * That of tasks in sandboxes, which keep them apart, where no numbers are left. In neither of the
   * ranges that systems give to people, to services, or to containers.
   */
  static final int USUAL_ID = 59321;

  private static final String SHELL = "/bin/sh";
  private static final List<String> OPEN_TO_ALL =
      Stream.of("/tmp", "/var/tmp", "/dev/shm", "/run/lock")
          .filter(folder -> Files.isDirectory(Path.of(folder)))
          .toList();
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** A shell may keep these for itself. */
  private static final Set<String> OF_SHELLS =
      Set.of("BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID", "OPTIND", "_");

  private final int user;
  private final String setpriv;
  private final @Nullable UserNumbers numbers;
  private final Traces traces;

  /** What a task can leave behind for the next one with its number. */
  public enum Traces {
    NOTHING,
    FILES,
    FILES_AND_PROCESSES
  }

  private TaskUser(int user, String setpriv, @Nullable UserNumbers numbers, Traces traces) {
    this.user = user;
    this.setpriv = setpriv;
    this.numbers = numbers;
    this.traces = traces;
  }

  public static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }

  /** Empty unless this process is root and the program that changes users is there. */
  public static Optional<TaskUser> find(Programs programs) {
    if (!isRoot()) {
      return Optional.empty();
    }
    return programs
        .find("setpriv")
        .map(Path::toString)
        .map(setpriv -> new TaskUser(USUAL_ID, setpriv, null, Traces.NOTHING));
  }

  /** The same with numbers of its own for each task; to be called once for an agent. */
  public TaskUser numbered(Traces left) {
    return new TaskUser(USUAL_ID, setpriv, new UserNumbers(), left);
  }

  /**
   * A user for one task that no other task of the machine has until it is released; this one if
   * there are no numbers.
   */
  public TaskUser another() throws IOException {
    return numbers == null ? this : new TaskUser(numbers.take(), setpriv, numbers, traces);
  }

  /** Its task has ended and its files are gone: the number can be reused. */
  public void release() {
    if (numbers != null && user != USUAL_ID) {
      numbers.giveBack(user);
    }
  }

  /** Its agent ends: another one may have its numbers. */
  public void close() throws IOException {
    if (numbers != null) {
      numbers.close();
    }
  }

  /**
   * Kills what its task has left running, and removes what it has left where everybody may write:
   * the next task with this number may be somebody else's.
   */
  public void endTask() {
    if (!leavesTraces()) {
      return;
    }
    try {
      if (traces == Traces.FILES_AND_PROCESSES) {
        List<String> words = new ArrayList<>(privileges());
        words.addAll(List.of(SHELL, "-c", "kill -KILL -1"));
        Programs.ask(words);
      }
      List<String> words = new ArrayList<>(List.of("/usr/bin/find"));
      words.addAll(OPEN_TO_ALL);
      words.addAll(List.of("-xdev", "-uid", Integer.toString(user), "-delete"));
      Programs.ask(words);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether its task can put anything outside of its own folders. */
  public boolean leavesTraces() {
    return user != USUAL_ID && traces != Traces.NOTHING;
  }

  /** Removes folders, while somebody else may be at work in them: no link is followed. */
  public void removeTree(List<Path> folders) throws IOException {
    List<String> words = new ArrayList<>(List.of("/bin/rm", "-rf", "--one-file-system", "--"));
    folders.forEach(folder -> words.add(folder.toString()));
    Process remover =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (remover.waitFor() != 0) {
        throw new IOException(folders + " could not be removed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public int id() {
    return user;
  }

  /**
   * Words before a command: whoever runs them as root becomes this user, for good, and only then
   * takes the environment of the task, because the loader of any program obeys that.
   *
   * @param script the descriptor with what {@link #script} made
   */
  public List<String> becoming(int script) {
    List<String> words = new ArrayList<>(privileges());
    words.addAll(reading(script));
    return words;
  }

  private List<String> privileges() {
    return List.of(
        setpriv,
        "--reuid=" + user,
        "--regid=" + user,
        "--clear-groups",
        "--bounding-set=-all",
        "--inh-caps=-all",
        "--no-new-privs",
        "--");
  }

  /**
   * Words before a command: a shell that does what {@link #script} made, and runs the command. It
   * reads the script by itself: another program for that takes as long as the task, if that is
   * short. Without {@code /proc} only another program can.
   */
  public static List<String> reading(int script) {
    String file = "/proc/self/fd/" + script;
    return List.of(
        SHELL,
        "-c",
        "if [ -r " + file + " ]; then . " + file + "; fi; eval \"$(/bin/cat <&" + script + ")\"",
        SHELL);
  }

  /**
   * A script for the shell that goes to a folder, sets an environment, and then becomes the
   * command.
   *
   * @param own the descriptor that the script is read from
   */
  public static String script(int own, String folder, Map<String, String> environment) {
    return script(own, folder, environment, "exec");
  }

  /** As above, but the shell stays: the first process of a process table hears few signals. */
  public static String waitingScript(int own, String folder, Map<String, String> environment) {
    return script(own, folder, environment, "") + "exit $?\n";
  }

  private static String script(
      int own, String folder, Map<String, String> environment, String exec) {
    StringBuilder script = new StringBuilder();
    script.append("cd ").append(quoted(folder)).append(" || exit 126\n");
    StringBuilder others = new StringBuilder();
    environment.forEach(
        (name, value) -> {
          if (PLAIN_NAME.matcher(name).matches() && !OF_SHELLS.contains(name)) {
            script.append("export ").append(name).append('=').append(quoted(value)).append('\n');
          } else {
            others.append(' ').append(quoted(name + "=" + value));
          }
        });
    script.append("exec ").append(own).append("<&-\n");
    script.append(exec).append(others.isEmpty() ? "" : " /usr/bin/env" + others);
    script.append(" \"$@\"\n");
    return script.toString();
  }

  private static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }

  /** Gives a folder and all that is in it, which nobody else may write to, to this user. */
  public void giveTree(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) tree::iterator) {
        give(file);
      }
    }
  }

  /** Gives a file or folder to this user, itself only; a link is not followed. */
  public void give(Path file) throws IOException {
    Files.setAttribute(file, "unix:gid", user, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
  }
}
