package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.agent.internal.process.OwnProgram;
import dev.imker.model.ImkerException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Chooses how tasks are confined, by the owner's policy and by what works on this machine. */
public final class Confinements {
  private Confinements() {}

  /**
   * @param servers addresses of the pool's servers
   * @throws ImkerException when the policy demands a sandbox that does not work here
   */
  public static Confinement choose(Policy policy, List<String> servers, Programs programs) {
    return switch (policy.sandbox()) {
      case OFF -> Confinement.none("switched off by the policy");
      case AUTO ->
          servers.stream().allMatch(Confinements::isThisMachine)
              ? Confinement.none("the server is on this machine, so its jobs are the owner's own")
              : sandboxOrNone(policy, programs);
      case ON -> sandboxOrRefusal(policy, programs);
    };
  }

  /** What the owner shows, and what tasks need that run the agent's own software. */
  private static List<Path> shown(Policy policy) {
    List<Path> shown = new ArrayList<>(policy.show());
    shown.addAll(OwnProgram.places());
    return shown;
  }

  private static Confinement sandboxOrNone(Policy policy, Programs programs) {
    Bubblewrap.Attempt attempt = Bubblewrap.find(programs, shown(policy));
    return attempt.sandbox().isPresent()
        ? attempt.sandbox().get()
        : Confinement.none(attempt.reason());
  }

  private static Confinement sandboxOrRefusal(Policy policy, Programs programs) {
    Bubblewrap.Attempt attempt = Bubblewrap.find(programs, shown(policy));
    return attempt
        .sandbox()
        .orElseThrow(
            () ->
                new ImkerException(
                    "The policy demands a sandbox, and there is none: "
                        + attempt.reason()
                        + ". Install or permit it, or set 'sandbox: off'."));
  }

  static boolean isThisMachine(String url) {
    String host = URI.create(url).getHost();
    if (host == null) {
      return false;
    }
    try {
      return host.equals("localhost") || InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
