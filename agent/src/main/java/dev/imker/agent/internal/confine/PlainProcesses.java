package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tasks without a sandbox. They see the files that their user may see; under a root agent each task
 * has a user of its own. Where the agent can create namespaces, tasks have process tables of their
 * own, so that nothing outlives them, and no network unless granted.
 */
final class PlainProcesses implements Confinement {
  private static final int SCRIPT = ProcessSpec.FIRST_HANDED;

  private final String why;
  private final Optional<TaskUser> user;
  private final List<String> namespaces;
  private final Optional<OutgoingNetwork> outgoing;

  private PlainProcesses(
      String why,
      Optional<TaskUser> user,
      List<String> namespaces,
      Optional<OutgoingNetwork> outgoing) {
    this.why = why;
    this.user = user;
    this.namespaces = namespaces;
    this.outgoing = outgoing;
  }

  /**
   * @param why there is no sandbox
   * @param user whom tasks run as, if not as the agent's own user
   */
  static PlainProcesses find(
      String why, Programs programs, Optional<TaskUser> user, Optional<OutgoingNetwork> outgoing) {
    List<String> namespaces = namespaces(programs);
    TaskUser.Traces left =
        namespaces.isEmpty() ? TaskUser.Traces.FILES_AND_PROCESSES : TaskUser.Traces.FILES;
    return new PlainProcesses(why, user.map(base -> base.numbered(left)), namespaces, outgoing);
  }

  /** The prefix of a command that gives it namespaces; empty where this does not work. */
  private static List<String> namespaces(Programs programs) {
    Optional<Path> unshare = programs.find("unshare").map(Path::toAbsolutePath);
    if (unshare.isEmpty()) {
      return List.of();
    }
    List<String> words = new ArrayList<>(List.of(unshare.get().toString()));
    if (!TaskUser.isRoot()) {
      words.addAll(List.of("--user", "--map-current-user"));
    }
    words.addAll(List.of("--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"));
    List<String> trial = new ArrayList<>(words);
    trial.addAll(List.of("--net", "--", "/bin/sh", "-c", "echo it works"));
    try {
      return Programs.ask(trial).strip().equals("it works") ? List.copyOf(words) : List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  @Override
  public ProcessSpec confine(ProcessSpec spec, Room room) {
    Optional<TaskUser> as = room.user();
    if (namespaces.isEmpty() && as.isEmpty()) {
      return spec;
    }
    TaskPrograms.check(spec, room.work(), room.work().toString());
    List<String> command = new ArrayList<>();
    if (!namespaces.isEmpty()) {
      command.addAll(namespaces);
      if (!room.network()) {
        command.add("--net");
      }
      command.add("--");
    }
    command.addAll(as.isPresent() ? as.get().becoming(SCRIPT) : TaskUser.reading(SCRIPT));
    command.addAll(spec.command());
    if (room.network() && outgoing.isPresent()) {
      command = outgoing.get().around(command);
    }
    String folder = spec.folder().toString();
    String script =
        namespaces.isEmpty()
            ? TaskUser.script(SCRIPT, folder, spec.env())
            : TaskUser.waitingScript(SCRIPT, folder, spec.env());
    return spec.by(command, marks(spec.env()), List.of(script.getBytes(StandardCharsets.UTF_8)));
  }

  private static Map<String, String> marks(Map<String, String> env) {
    Map<String, String> marks = new LinkedHashMap<>(env);
    marks.keySet().retainAll(List.of(ProcessSpec.MARK));
    return marks;
  }

  @Override
  public boolean hasUsers() {
    return user.isPresent();
  }

  @Override
  public Optional<TaskUser> user() throws IOException {
    return user.isPresent() ? Optional.of(user.get().another()) : user;
  }

  @Override
  public void close() throws IOException {
    if (user.isPresent()) {
      user.get().close();
    }
  }

  @Override
  public boolean closesNetwork() {
    return !namespaces.isEmpty();
  }

  @Override
  public boolean hasOutgoing() {
    return outgoing.isPresent();
  }

  @Override
  public boolean isSandbox() {
    return false;
  }

  @Override
  public String why() {
    return why;
  }

  @Override
  public String inWords() {
    String words = "none: " + why;
    if (user.isPresent()) {
      words += "; each task runs as its own user";
    }
    if (namespaces.isEmpty()) {
      return words + "; their network and processes cannot be isolated";
    }
    return words + outgoing.map(network -> "; " + network.inWords()).orElse("");
  }
}
