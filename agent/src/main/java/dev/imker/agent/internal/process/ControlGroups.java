package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.GroupFolder;
import dev.imker.agent.internal.system.ProcFs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a control group for each task, below the group that this process is in.
 *
 * <p>That works where the system lets us: as root, or in a service to which systemd delegates its
 * group. Controllers (memory, pids, cpu, io) can be handed down only by a group without processes
 * of its own; so a process that is a service of its own moves to a group beside those of the tasks.
 */
public final class ControlGroups {
  private static final Logger LOG = LoggerFactory.getLogger(ControlGroups.class);
  private static final String OWN = "imker-agent";
  private static final String PREFIX = "imker.";

  /** The main process of a service, as systemd tells it. */
  private static final String SERVICE = "SYSTEMD_EXEC_PID";

  /** Groups are named after the process that makes them, at the end. */
  private static final Pattern MAKER = Pattern.compile("\\.(\\d{1,9})-\\d+$");

  private static final Set<String> WANTED = Set.of("cpu", "io", "memory", "pids");
  private static final List<String> NEEDED = List.of("cgroup.kill", "cgroup.freeze", "cpu.stat");
  private static final int REMOVALS = 300;
  private static final long REMOVAL_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** What came of looking for them: groups, or the reason why there are none. */
  public record Attempt(Optional<ControlGroups> groups, String reason) {
    static Attempt none(String reason) {
      return new Attempt(Optional.empty(), reason);
    }

    /** Tells people which way tasks are held together. */
    public String inWords() {
      return groups
          .map(ControlGroups::inWords)
          .orElse("sessions and process groups (" + reason + ")");
    }
  }

  private final GroupFolder base;
  private final Set<String> controllers;
  private final AtomicLong made = new AtomicLong();

  private ControlGroups(GroupFolder base, Set<String> controllers) {
    this.base = base;
    this.controllers = new TreeSet<>(controllers);
  }

  /** Looks for the group of this process and tries whether groups can be made in it. */
  static Attempt find() {
    Optional<GroupFolder> own =
        GroupFolder.of(lines("/proc/self/mountinfo"), lines("/proc/self/cgroup"));
    return own.isEmpty()
        ? Attempt.none("no control groups of version 2 here")
        : below(own.get(), Integer.toString(ProcFs.self()).equals(System.getenv(SERVICE)));
  }

  /** Whether groups could be made; changes nothing that stays. */
  public static Attempt examine() {
    Optional<GroupFolder> own =
        GroupFolder.of(lines("/proc/self/mountinfo"), lines("/proc/self/cgroup"));
    if (own.isEmpty()) {
      return Attempt.none("no control groups of version 2 here");
    }
    GroupFolder base = base(own.get());
    String trouble = tryOut(base);
    return trouble.isEmpty()
        ? new Attempt(
            Optional.of(new ControlGroups(base, wanted(base.words("cgroup.subtree_control")))), "")
        : Attempt.none(trouble);
  }

  /**
   * @param isService whether the group is that of a service whose main process this one is
   */
  public static Attempt below(GroupFolder own, boolean isService) {
    GroupFolder base = base(own);
    String trouble = tryOut(base);
    if (!trouble.isEmpty()) {
      return Attempt.none(trouble);
    }
    if (isService) {
      handDown(base);
    }
    Set<String> controllers = wanted(base.words("cgroup.subtree_control"));
    ControlGroups groups = new ControlGroups(base, controllers);
    groups.removeAbandoned();
    return new Attempt(Optional.of(groups), "");
  }

  /** An agent that another one started is in the group where that one has put itself. */
  private static GroupFolder base(GroupFolder own) {
    Path parent = own.path().getParent();
    return own.name().equals(OWN) && parent != null ? new GroupFolder(parent) : own;
  }

  private static String tryOut(GroupFolder base) {
    GroupFolder probe = base.child(PREFIX + "probe-" + ProcFs.self());
    if (!Files.isWritable(base.path().resolve("cgroup.procs"))) {
      return "this user is not permitted to create groups in " + base.path();
    }
    try {
      probe.make();
      return NEEDED.stream().allMatch(probe::has) ? "" : "the kernel is older than 5.14";
    } catch (IOException e) {
      return "cannot create a group in " + base.path() + ": " + e.getMessage();
    } finally {
      probe.remove();
    }
  }

  /**
   * Has the controllers that are there work for the groups of tasks, as far as that is possible.
   */
  public static void handDown(GroupFolder base) {
    Set<String> missing = wanted(base.words("cgroup.controllers"));
    missing.removeAll(base.words("cgroup.subtree_control"));
    if (missing.isEmpty() || !moveAside(base)) {
      return;
    }
    for (String controller : missing) {
      if (!base.write("cgroup.subtree_control", "+" + controller)) {
        LOG.info("The controller {} cannot be used for tasks", controller);
      }
    }
  }

  private static Set<String> wanted(Set<String> names) {
    Set<String> wanted = new HashSet<>(names);
    wanted.retainAll(WANTED);
    return wanted;
  }

  /** False if somebody else is in the group as well: it is not ours to arrange. */
  private static boolean moveAside(GroupFolder base) {
    Set<Integer> ours = new HashSet<>(ProcFs.descendants(ProcFs.self()));
    ours.add(ProcFs.self());
    List<Integer> present = base.processes();
    if (!ours.containsAll(present)) {
      return false;
    }
    GroupFolder own = base.child(OWN);
    try {
      if (!Files.isDirectory(own.path())) {
        own.make();
      }
    } catch (IOException e) {
      LOG.info("No group for the agent itself: {}", e.getMessage());
      return false;
    }
    present.forEach(pid -> own.write("cgroup.procs", Integer.toString(pid)));
    return true;
  }

  /**
   * A group for a task, empty.
   *
   * @param lease names the task; what comes before its colon names the agent
   * @throws IOException when there can be none
   */
  TaskGroup make(String lease, ProcessLimits limits, ProcessPriority priority) throws IOException {
    String number = ProcFs.self() + "-" + made.incrementAndGet();
    GroupFolder folder = base.child(plain(lease) + "." + number);
    folder.make();
    TaskGroup group = new TaskGroup(folder);
    group.limit(limits, priority);
    return group;
  }

  /** Where the groups of tasks are. */
  Path folder() {
    return base.path();
  }

  private static String plain(String lease) {
    return PREFIX + lease.replaceAll("[^A-Za-z0-9_-]", ".");
  }

  /**
   * Kills what is left in groups of an earlier life of an agent and removes them. The agent must
   * not have begun to run tasks.
   *
   * @param leasePrefix what the names of its leases begin with
   */
  void killLeftovers(String leasePrefix) {
    for (TaskGroup group : groups(plain(leasePrefix))) {
      LOG.info("Removing the group {} left by an earlier run of this agent", group.name());
      group.kill();
      for (int i = 0; !group.remove() && i < REMOVALS; i++) {
        LockSupport.parkNanos(REMOVAL_PAUSE_NANOS);
      }
    }
  }

  /** Removes empty groups of agents that are no more and may never come back. */
  private void removeAbandoned() {
    for (TaskGroup group : groups(PREFIX)) {
      Matcher maker = MAKER.matcher(group.name());
      if (maker.find() && ProcFs.stat(Integer.parseInt(maker.group(1))) == null) {
        group.remove();
      }
    }
  }

  private List<TaskGroup> groups(String start) {
    List<TaskGroup> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(base.path(), start + "*")) {
      folders.forEach(folder -> found.add(new TaskGroup(new GroupFolder(folder))));
    } catch (IOException e) {
      LOG.warn("Cannot look for groups of earlier agents", e);
    }
    return found;
  }

  private String inWords() {
    return controllers.isEmpty()
        ? "a cgroup per task, without controllers"
        : "a cgroup per task, with the controllers " + String.join(", ", controllers);
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of();
    }
  }
}
