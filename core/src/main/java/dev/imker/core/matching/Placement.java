package dev.imker.core.matching;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.StageHeader;
import dev.imker.core.resource.Stock;
import dev.imker.model.Platform;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;

/**
 * Where tasks may run. Equal ones form one class.
 *
 * @param pin id or name of the only node; empty means any
 * @param trust level that the agent must have proved
 * @param kind of the job, as some nodes are used for some kinds only
 * @param lineBytes how large inputs a line has to suit, in the steps in which that is known; 0 if
 *     any line does. Nothing is asked of a single agent by it: the better of those there are get
 *     the task
 */
public record Placement(Requirements needs, String pin, int trust, JobKind kind, long lineBytes) {
  /** Of tasks that are not handed out one by one: fits no agent. */
  static final Placement NOWHERE =
      new Placement(Requirements.ANY, "", Integer.MAX_VALUE, JobKind.NOOP, 0);

  /** Where the tasks of a stage are handed out one by one. */
  public static Placement of(StageHeader stage) {
    return stage.isGang() ? NOWHERE : own(stage);
  }

  /** Where the tasks of a stage may run. */
  public static Placement own(StageHeader stage) {
    return new Placement(
        stage.needs(),
        stage.rules().pin(),
        stage.rules().trust(),
        stage.kind(),
        lineFor(stage.inputBytes()));
  }

  private static long lineFor(long inputBytes) {
    if (inputBytes <= Platform.LINE_STEPS_BYTES.getFirst()) {
      return 0;
    }
    return Platform.LINE_STEPS_BYTES.stream()
        .filter(step -> inputBytes <= step)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  public Placement asking(Requirements other) {
    return new Placement(other, pin, trust, kind, lineBytes);
  }

  public Placement pinnedTo(String node) {
    return new Placement(needs, node, trust, kind, lineBytes);
  }

  /**
   * Whether an agent could ever run such tasks.
   *
   * @param pool what exists once for all machines, and is not asked of the agent's
   */
  public boolean matches(AgentHello agent, Stock pool) {
    if (!isFor(agent)) {
      return false;
    }
    if (needs.alternatives().isEmpty()) {
      return true;
    }
    for (Need need : needs.alternatives()) {
      if (meets(need, agent, pool)) {
        return true;
      }
    }
    return false;
  }

  /** The same for one of the alternatives. */
  boolean matches(int variant, AgentHello agent, Stock pool) {
    return isFor(agent)
        && (needs.alternatives().isEmpty()
            || meets(needs.alternatives().get(variant), agent, pool));
  }

  private boolean isFor(AgentHello agent) {
    return agent.trust() >= trust && agent.terms().takes(kind) && isPinnedTo(agent);
  }

  private static boolean meets(Need need, AgentHello agent, Stock pool) {
    Platform platform = agent.platform();
    int cores = agent.terms().coresOf(platform.cores());
    return PlatformMatch.meets(need, platform, cores, pool::sharedAmount);
  }

  private boolean isPinnedTo(AgentHello agent) {
    return pin.isEmpty()
        || pin.equals(agent.node().value())
        || pin.equals(agent.name())
        || pin.equals(agent.platform().hostName());
  }
}
