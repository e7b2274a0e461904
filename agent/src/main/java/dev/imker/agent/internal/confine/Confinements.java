package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.agent.internal.process.OwnProgram;
import dev.imker.model.ImkerException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses how tasks are confined, by the owner's policy and by what works on this machine. */
public final class Confinements {
  private Confinements() {}

  /**
   * @param data the agent's folder, which no task ever sees
   * @throws ImkerException when the policy demands a sandbox that does not work here
   */
  public static Confinement choose(Policy policy, Path data, Programs programs) {
    if (policy.sandbox() == Policy.SandboxMode.OFF) {
      return Confinement.none("switched off by the policy");
    }
    Bubblewrap.Attempt attempt = tryOut(policy, data, programs);
    if (attempt.sandbox().isPresent()) {
      return attempt.sandbox().get();
    }
    if (policy.sandbox() == Policy.SandboxMode.ON) {
      throw new ImkerException(
          "The policy demands a sandbox, and there is none: "
              + attempt.reason()
              + ". Install or permit it, or set 'sandbox: off'.");
    }
    return Confinement.none(attempt.reason());
  }

  /** Whether there would be a sandbox, and if not, why. */
  public static Bubblewrap.Attempt tryOut(Policy policy, Path data, Programs programs) {
    List<Path> show = new ArrayList<>(SearchPath.shown(programs));
    show.addAll(policy.show());
    return Bubblewrap.find(
        programs,
        new SystemView.Wanted(show, hidden(data), OwnProgram.places()),
        TaskUser.find(programs));
  }

  /** Tokens, keys, the database, other tasks' files: wherever Imker keeps things of its own. */
  private static List<Path> hidden(Path data) {
    List<Path> hidden = new ArrayList<>(List.of(data.toAbsolutePath()));
    Optional.ofNullable(System.getenv("IMKER_HOME"))
        .filter(home -> !home.isEmpty())
        .ifPresent(home -> hidden.add(Path.of(home).toAbsolutePath()));
    hidden.add(Path.of(System.getProperty("user.home"), ".imker"));
    return hidden;
  }
}
