package dev.imker.core.matching;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.StageHeader;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.Requirements;

/**
 * Where tasks may run. Equal ones form one class.
 *
 * @param pin id or name of the only node; empty means any
 * @param trust level that the agent must have proved
 * @param kind of the job, as some nodes are used for some kinds only
 */
public record Placement(Requirements needs, String pin, int trust, JobKind kind) {
  /** Of tasks that are not handed out one by one: fits no agent. */
  static final Placement NOWHERE =
      new Placement(Requirements.ANY, "", Integer.MAX_VALUE, JobKind.NOOP);

  /** Where the tasks of a stage are handed out one by one. */
  public static Placement of(StageHeader stage) {
    return stage.isGang() ? NOWHERE : own(stage);
  }

  /** Where the tasks of a stage may run. */
  public static Placement own(StageHeader stage) {
    return new Placement(stage.needs(), stage.rules().pin(), stage.rules().trust(), stage.kind());
  }

  public Placement pinnedTo(String node) {
    return new Placement(needs, node, trust, kind);
  }

  public boolean matches(AgentHello agent) {
    return agent.trust() >= trust
        && agent.terms().takes(kind)
        && isPinnedTo(agent)
        && PlatformMatch.matches(
            needs, agent.platform(), agent.terms().coresOf(agent.platform().cores()));
  }

  private boolean isPinnedTo(AgentHello agent) {
    return pin.isEmpty()
        || pin.equals(agent.node().value())
        || pin.equals(agent.name())
        || pin.equals(agent.platform().hostName());
  }
}
