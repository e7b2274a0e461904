package dev.imker.agent.internal.policy;

import dev.imker.agent.Offer;
import dev.imker.agent.OwnerActive;
import dev.imker.agent.internal.process.ProcessLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The terms on which an owner lends a machine.
 *
 * @param offer no more of the machine than that is offered; memory is that of all tasks together
 * @param limits of one task
 * @param diskBytes of one task's work folder; 0: no limit
 * @param runMillis of one attempt, besides what the job says; 0: no limit
 * @param network what tasks get whose job asks for the network
 * @param serves whom, in the order of preference; empty: everybody alike
 * @param signing which jobs are trusted
 * @param sandbox whether tasks are shut in
 * @param sameUser whether tasks of an agent that is root are root too, outside a sandbox
 * @param show folders that a sandbox shows, read-only, besides the system's
 * @param hours when the machine is lent
 * @param neighbour when to make room for the owner
 * @param longestMillis takes only work expected to be done within this time; 0: any
 * @param updates which versions of the server the agent brings itself to
 */
public record Policy(
    Offer offer,
    ProcessLimits limits,
    long diskBytes,
    long runMillis,
    NetworkMode network,
    List<String> serves,
    Signing signing,
    SandboxMode sandbox,
    boolean sameUser,
    List<Path> show,
    ActiveHours hours,
    Neighbour neighbour,
    long longestMillis,
    UpdateTerms updates) {
  /** Everything for everybody at any time, with the owner's work going first. */
  public static final Policy GENEROUS = generous(OwnerActive.NO);

  /** The name of the file that is looked for in the agent's folder. */
  public static final String FILE = "policy.yaml";

  public Policy {
    serves = List.copyOf(serves);
    show = List.copyOf(show);
  }

  /** The network of tasks that ask for it; others get none wherever possible. */
  public enum NetworkMode {
    NO,
    /** One of their own with a way out, or else the machine's. */
    YES,
    /** One of their own with a way out, or else none. */
    OUTGOING,
    /** The machine's own, with all that listens there. */
    SHARED
  }

  /** Whether tasks run in a sandbox. */
  public enum SandboxMode {
    /** Where one works. */
    AUTO,
    ON,
    OFF
  }

  static Policy generous(OwnerActive ownerActive) {
    return new Policy(
        Offer.ALL,
        ProcessLimits.NONE,
        0,
        0,
        NetworkMode.YES,
        List.of(),
        Signing.NOT_NEEDED,
        SandboxMode.AUTO,
        false,
        List.of(),
        ActiveHours.ALWAYS,
        Neighbour.of(ownerActive),
        0,
        UpdateTerms.FOLLOW);
  }

  /**
   * Reads the file given, or else the one in the agent's folder; without one, generous.
   *
   * @param usual when to make room for the owner, if the file does not say
   * @throws PolicyException naming the line that cannot be followed
   */
  public static Policy find(Optional<Path> given, Path folder, OwnerActive usual) {
    if (given.isPresent()) {
      return PolicyReader.read(given.get(), usual);
    }
    Path file = folder.resolve(FILE);
    return Files.exists(file) ? PolicyReader.read(file, usual) : generous(usual);
  }
}
