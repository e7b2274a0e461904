package dev.imker.agent.internal.neighbour;

import dev.imker.agent.internal.platform.PlatformProbe;
import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.policy.Policy;
import java.time.LocalDateTime;
import java.time.ZoneId;

/** Observes the machine as required by the owner's policy. */
public final class MachineWatch {
  private final Policy policy;
  private final OwnerActivity owner;
  private final CpuUse cpu = new CpuUse();

  public MachineWatch(Policy policy, Programs programs) {
    this.policy = policy;
    this.owner =
        OwnerActivity.ofThisSystem(policy.neighbour().ownerActive(), programs, System.getenv());
  }

  /**
   * @param trouble what the agent itself found wrong with the machine
   */
  public Observation look(String trouble) {
    return new Observation(
        policy.hours().contains(LocalDateTime.now(ZoneId.systemDefault())),
        owner.idleMillis(),
        policy.neighbour().othersLoad() > 0 ? cpu.ofOthers() : 0,
        policy.neighbour().freeMemoryBytes() > 0
            ? PlatformProbe.availableMemoryBytes()
            : Long.MAX_VALUE,
        trouble);
  }
}
