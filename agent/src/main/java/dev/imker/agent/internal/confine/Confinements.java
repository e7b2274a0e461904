package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.agent.internal.policy.Policy.NetworkMode;
import dev.imker.agent.internal.system.OwnProgram;
import dev.imker.model.ImkerException;
import dev.imker.model.account.UserHome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses how tasks are confined, by the owner's policy and by what works on this machine. */
public final class Confinements {
  private Confinements() {}

  /**
   * @param data the agent's folder, which no task ever sees
   * @throws ImkerException when the policy demands what does not work here
   */
  public static Confinement choose(Policy policy, Path data, Programs programs) {
    if (policy.sandbox() == Policy.SandboxMode.OFF) {
      return plain("switched off by the policy", policy, programs);
    }
    Bubblewrap.Attempt attempt = tryOut(policy, data, programs);
    if (attempt.sandbox().isPresent()) {
      return attempt.sandbox().get();
    }
    if (policy.sandbox() == Policy.SandboxMode.ON) {
      throw new ImkerException(
          "The policy requires a sandbox, but none is available: "
              + attempt.reason()
              + ". Install or permit it, or set 'sandbox: off'.");
    }
    return plain(attempt.reason(), policy, programs);
  }

  private static Confinement plain(String why, Policy policy, Programs programs) {
    Optional<TaskUser> user = policy.sameUser() ? Optional.empty() : TaskUser.find(programs);
    if (TaskUser.isRoot() && user.isEmpty() && !policy.sameUser()) {
      throw new ImkerException(
          "This agent is root, and without a sandbox ("
              + why
              + ") its tasks would run as root too, because setpriv is missing. Install"
              + " util-linux or bubblewrap, run the agent as an ordinary user, or set"
              + " 'user: same' in its policy.");
    }
    PlainProcesses plain =
        PlainProcesses.find(why, programs, user, outgoing(policy, programs).network());
    if (policy.network() == NetworkMode.NO && !plain.closesNetwork()) {
      throw new ImkerException(
          "The policy says 'network: no', and without a sandbox ("
              + why
              + ") the agent cannot keep tasks from the network on this system. Install"
              + " bubblewrap, permit user namespaces, or set 'network: shared'.");
    }
    return plain;
  }

  /** Whether tasks can have a network of their own, or why not. */
  static OutgoingNetwork.Attempt outgoing(Policy policy, Programs programs) {
    return switch (policy.network()) {
      case NO, SHARED -> new OutgoingNetwork.Attempt(Optional.empty(), "not wanted");
      case YES, OUTGOING -> OutgoingNetwork.find(programs);
    };
  }

  /** What the owner should know about the network of tasks; may be empty. */
  public static Optional<String> networkTrouble(Policy policy, Programs programs) {
    String reason = outgoing(policy, programs).reason();
    return switch (policy.network()) {
      case NO, SHARED -> Optional.empty();
      case YES ->
          reason.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  "jobs that need the network get this machine's own network, including"
                      + " loopback, if an admin submitted them; all others fail, because "
                      + reason);
      case OUTGOING ->
          reason.isEmpty()
              ? Optional.empty()
              : Optional.of("jobs that need the network fail here, because " + reason);
    };
  }

  /** Whether there would be a sandbox, or why not. */
  public static Bubblewrap.Attempt tryOut(Policy policy, Path data, Programs programs) {
    List<Path> show = new ArrayList<>(SearchPath.shown(programs));
    show.addAll(policy.show());
    return Bubblewrap.find(
        programs,
        new SystemView.Wanted(show, hidden(data), OwnProgram.places()),
        TaskUser.find(programs),
        outgoing(policy, programs).network());
  }

  /** Tokens, keys, the database, other tasks' files: all locations of Imker's own data. */
  private static List<Path> hidden(Path data) {
    List<Path> hidden = new ArrayList<>(List.of(data.toAbsolutePath()));
    Optional.ofNullable(System.getenv("IMKER_HOME"))
        .filter(home -> !home.isEmpty())
        .ifPresent(home -> hidden.add(Path.of(home).toAbsolutePath()));
    hidden.add(UserHome.of(System.getenv()).resolve(".imker").toAbsolutePath());
    // The home directory of the user's other programs, if this one was given a different one.
    hidden.add(UserHome.of(Map.of()).resolve(".imker"));
    return hidden;
  }
}
