package dev.imker.agent;

import dev.imker.model.connection.JoinToken;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The settings of an agent. Start with {@link #of} and change what differs.
 *
 * @param name shown to people; the host name if empty
 * @param slots maximum number of tasks at a time, whatever they need; 0: as the cores allow
 * @param offer how much of the machine tasks get, unless the policy allows less
 * @param dataFolder where identities, work folders and the cache lie; several agents may share it
 * @param cacheLimitBytes 0: 10 GB, or a tenth of the disk if that is less
 * @param lowestPriority whether tasks yield to everything else on the machine
 * @param portableProcesses whether to start processes with plain Java even where the system allows
 *     better
 * @param stopGrace how long a task that is told to stop may tidy up before it is killed
 * @param offlinePatience how long a finished task waits for the server to take its results
 * @param ownJar the software that runs; empty for an agent that never changes its version
 * @param maxTasks number of tasks after which the agent ends; 0: never
 * @param ownerActive when to make room for the owner, unless the policy says so
 * @param policy the owner's terms; if empty, {@code policy.yaml} in the data folder, if there is
 *     one
 */
public record AgentSettings(
    JoinToken join,
    String name,
    int slots,
    Offer offer,
    Path dataFolder,
    long cacheLimitBytes,
    boolean lowestPriority,
    boolean portableProcesses,
    Duration stopGrace,
    Duration offlinePatience,
    Set<String> labels,
    int maxTasks,
    OwnerActive ownerActive,
    Optional<Path> policy,
    Optional<Path> ownJar) {
  public AgentSettings {
    if (slots < 0) {
      throw new IllegalArgumentException("an agent with less than no slots");
    }
    labels = Set.copyOf(labels);
  }

  /** All of the machine, lowest priority. */
  public static AgentSettings of(JoinToken join, Path dataFolder) {
    return new AgentSettings(
        join,
        "",
        0,
        Offer.ALL,
        dataFolder,
        0,
        true,
        false,
        Duration.ofSeconds(2),
        Duration.ofDays(7),
        Set.of(),
        0,
        OwnerActive.NO,
        Optional.empty(),
        Optional.empty());
  }

  public AgentSettings withName(String newName) {
    return with(draft -> draft.name = newName);
  }

  public AgentSettings withSlots(int newSlots) {
    return with(draft -> draft.slots = newSlots);
  }

  public AgentSettings withOffer(Offer newOffer) {
    return with(draft -> draft.offer = newOffer);
  }

  public AgentSettings withCacheLimitBytes(long newLimit) {
    return with(draft -> draft.cacheLimitBytes = newLimit);
  }

  public AgentSettings withLowestPriority(boolean newLowestPriority) {
    return with(draft -> draft.lowestPriority = newLowestPriority);
  }

  public AgentSettings withPortableProcesses(boolean newPortableProcesses) {
    return with(draft -> draft.portableProcesses = newPortableProcesses);
  }

  public AgentSettings withStopGrace(Duration newGrace) {
    return with(draft -> draft.stopGrace = newGrace);
  }

  public AgentSettings withLabels(Set<String> newLabels) {
    return with(draft -> draft.labels = newLabels);
  }

  /** An agent that ends after so many tasks. */
  public AgentSettings withMaxTasks(int newMaxTasks) {
    return with(draft -> draft.maxTasks = newMaxTasks);
  }

  public AgentSettings withOwnerActive(OwnerActive newOwnerActive) {
    return with(draft -> draft.ownerActive = newOwnerActive);
  }

  public AgentSettings withPolicy(Path newPolicy) {
    return with(draft -> draft.policy = Optional.of(newPolicy));
  }

  /** An agent that knows its own jar leaves when the server runs another version. */
  public AgentSettings withOwnJar(Path jar) {
    return with(draft -> draft.ownJar = Optional.of(jar));
  }

  private AgentSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings(join, dataFolder, offlinePatience);
  }

  /** Settings that are being changed. */
  private static final class Draft {
    private String name;
    private int slots;
    private Offer offer;
    private long cacheLimitBytes;
    private boolean lowestPriority;
    private boolean portableProcesses;
    private Duration stopGrace;
    private Set<String> labels;
    private int maxTasks;
    private OwnerActive ownerActive;
    private Optional<Path> policy;
    private Optional<Path> ownJar;

    Draft(AgentSettings from) {
      name = from.name;
      slots = from.slots;
      offer = from.offer;
      cacheLimitBytes = from.cacheLimitBytes;
      lowestPriority = from.lowestPriority;
      portableProcesses = from.portableProcesses;
      stopGrace = from.stopGrace;
      labels = from.labels;
      maxTasks = from.maxTasks;
      ownerActive = from.ownerActive;
      policy = from.policy;
      ownJar = from.ownJar;
    }

    AgentSettings settings(JoinToken join, Path dataFolder, Duration offlinePatience) {
      return new AgentSettings(
          join,
          name,
          slots,
          offer,
          dataFolder,
          cacheLimitBytes,
          lowestPriority,
          portableProcesses,
          stopGrace,
          offlinePatience,
          labels,
          maxTasks,
          ownerActive,
          policy,
          ownJar);
    }
  }
}
