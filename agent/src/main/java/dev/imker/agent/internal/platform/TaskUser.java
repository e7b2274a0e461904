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

/**
 * The user that tasks of an agent run as that itself is root: one without a home, a password or any
 * file but its tasks' own. What the agent may read, tasks then may not, sandbox or none.
 */
public final class TaskUser {
  /** If the machine has a user of this name it is taken; otherwise the number below. */
  static final String NAME = "imker-task";

  /** Neither of the ranges that systems give to people, to services, or to containers. */
  static final int USUAL_ID = 59321;

  /** So many tasks of a machine have numbers of their own; systems give 60000 to somebody else. */
  private static final int NUMBERS = 600;

  private static final String SHELL = "/bin/sh";
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** A shell may keep these for itself. */
  private static final Set<String> OF_SHELLS =
      Set.of("BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID", "OPTIND", "_");

  private final int user;
  private final int group;
  private final boolean named;
  private final String setpriv;

  private TaskUser(int user, int group, boolean named, String setpriv) {
    this.user = user;
    this.group = group;
    this.named = named;
    this.setpriv = setpriv;
  }

  public static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Empty unless this process is root and the program that changes users is there. */
  public static Optional<TaskUser> find(Programs programs) {
    if (!isRoot()) {
      return Optional.empty();
    }
    return programs.find("setpriv").map(Path::toString).map(TaskUser::find);
  }

  private static TaskUser find(String setpriv) {
    try {
      for (String line : Files.readAllLines(Path.of("/etc/passwd"))) {
        String[] fields = line.split(":", -1);
        if (fields.length > 3 && fields[0].equals(NAME)) {
          return new TaskUser(
              Integer.parseInt(fields[2]), Integer.parseInt(fields[3]), true, setpriv);
        }
      }
    } catch (IOException | NumberFormatException e) {
      return new TaskUser(USUAL_ID, USUAL_ID, false, setpriv);
    }
    return new TaskUser(USUAL_ID, USUAL_ID, false, setpriv);
  }

  /** A user for one of several tasks, so that none can touch another; the same if it has a name. */
  public TaskUser numbered(long task) {
    if (named) {
      return this;
    }
    int number = USUAL_ID + (int) (task % NUMBERS);
    return new TaskUser(number, number, false, setpriv);
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
    List<String> words =
        new ArrayList<>(
            List.of(
                setpriv,
                "--reuid=" + user,
                "--regid=" + group,
                "--clear-groups",
                "--bounding-set=-all",
                "--inh-caps=-all",
                "--no-new-privs",
                "--"));
    words.addAll(reading(script));
    return words;
  }

  /** Words before a command: a shell that does what {@link #script} made, and runs the command. */
  public static List<String> reading(int script) {
    return List.of(SHELL, "-c", "eval \"$(/bin/cat <&" + script + ")\"", SHELL);
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
    Files.setAttribute(file, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
  }
}
