package dev.imker.core.internal.agents;

import dev.imker.core.internal.tasks.AttemptHolder;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.LongTable;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.AgentOffer;
import dev.imker.core.message.AgentView;
import dev.imker.core.message.NodeTerms;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.resource.Demand;
import dev.imker.core.resource.Grant;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.change.NodeSeen;
import dev.imker.model.job.Requirements;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An agent: its slots, the attempts it holds, and whether it can take more. */
public final class AgentSlots extends AttemptHolder {
  /** {@link #incarnation} of an agent known only from a restored lease. */
  public static final long UNKNOWN_INCARNATION = Long.MIN_VALUE;

  private static final double MEAN_WEIGHT = 0.25;

  private final LongTable<double[]> meanMillisByProject = new LongTable<>();
  private final Machine machine;

  /** Attempts that ask for nothing but a core, and how many of those have one. */
  private int plainHeld;

  private int plainCores;
  private int ahead;
  private long lists;

  /** How it described itself; null if it is known only from a restored lease. */
  public @Nullable AgentHello hello;

  public long incarnation = UNKNOWN_INCARNATION;
  public boolean connected;
  public boolean draining;

  /** Connected, but silent for a lease period. */
  public boolean silent;

  /** How many of its tasks wait for others and yield their slots to them. */
  public int waiting;

  /** The same by the users whose tasks wait. */
  public Map<String, Integer> waitingByUser = Map.of();

  /** The connection class with which it is counted in its group. */
  long countedLine = Lines.NONE;

  long lastSignMillis;

  /** The same by a clock that stops whenever the server does. */
  long lastSignAwakeMillis;

  /** Agents that match the same requirement classes; null until it has introduced itself. */
  public @Nullable AgentGroup group;

  /** The list of its group it is in, and its links there. */
  public @Nullable AgentList list;

  @Nullable AgentSlots before;
  public @Nullable AgentSlots after;

  /** Links of the order of signs of life. */
  @Nullable AgentSlots heardBefore;

  @Nullable AgentSlots heardAfter;

  AgentSlots(AgentId id, NodeProfile profile, Machine machine) {
    super(id, profile);
    this.machine = machine;
  }

  public Machine machine() {
    return machine;
  }

  /** How many of the tasks it holds have a core and nothing else. */
  public int plainCores() {
    return plainCores;
  }

  /** Whether the needs of a task can be met now. */
  public boolean fits(Demand demand) {
    return machine.fits(demand, lentCores());
  }

  /**
   * Takes what a task needs, which must fit. It may hold more plain tasks than there are cores;
   * these get a core when others end.
   */
  public Grant take(Demand demand, int variant) {
    if (!demand.isPlain() || variant > 0) {
      return machine.take(demand, variant, lentCores());
    }
    if (fits(demand)) {
      plainCores++;
      machine.stock().takeCore();
    }
    return Grant.ONE_CORE;
  }

  /** Returns what was taken for a task that did not begin. */
  public void putBack(Grant grant) {
    if (!grant.isPlain()) {
      machine.giveBack(grant);
    } else if (plainCores > plainHeld) {
      giveBackCore();
    }
    countAhead();
  }

  /** Takes again what an attempt had, if nobody else has it now; null if somebody has. */
  public @Nullable Grant takeAgain(Granted granted) {
    if (granted.isPlain()) {
      return take(Demand.ONE_CORE, 0);
    }
    Grant grant = machine.grant(granted);
    if (!machine.fitsAgain(grant)) {
      return null;
    }
    machine.restore(grant);
    return grant;
  }

  /** Takes what an attempt has held since before a restart, whether or not there is enough. */
  public Grant restore(Granted granted) {
    if (granted.isPlain()) {
      plainCores++;
      machine.stock().takeCore();
      return Grant.ONE_CORE;
    }
    Grant grant = machine.grant(granted);
    machine.restore(grant);
    return grant;
  }

  @Override
  public void add(LiveAttempt attempt) {
    super.add(attempt);
    if (attempt.grant.isPlain()) {
      plainHeld++;
      countAhead();
    }
  }

  @Override
  public void remove(LiveAttempt attempt) {
    super.remove(attempt);
    if (!attempt.grant.isPlain()) {
      machine.giveBack(attempt.grant);
      return;
    }
    plainHeld--;
    if (plainCores > plainHeld) {
      giveBackCore();
    }
    countAhead();
  }

  private void countAhead() {
    machine.ahead(plainHeld - plainCores - ahead);
    ahead = plainHeld - plainCores;
  }

  private void giveBackCore() {
    plainCores--;
    machine.stock().giveBackCore();
  }

  /** It has reported its number of cores: everything held beyond them was given in advance. */
  void offered() {
    machine.offer();
    for (AgentSlots agent : machine.agents()) {
      while (agent.plainCores > 0 && machine.stock().coresFree() < 0) {
        agent.giveBackCore();
      }
      agent.countAhead();
    }
  }

  /** Cores that waiting tasks yield to others, in hundredths. */
  private long lentCores() {
    return (long) Requirements.HUNDREDTHS * Math.min(held(), waiting);
  }

  public static AgentSlots of(LiveAttempt attempt) {
    return (AgentSlots) attempt.agent;
  }

  public int slots() {
    return hello == null ? 0 : hello.terms().coresOf(hello.slots());
  }

  public NodeTerms terms() {
    return hello == null ? NodeTerms.NONE : hello.terms();
  }

  public AgentOffer offer() {
    return hello == null ? AgentOffer.ANYTHING : hello.offer();
  }

  public boolean isServing() {
    return connected
        && !silent
        && !draining
        && pause.isEmpty()
        && group != null
        && terms().takesWork();
  }

  /**
   * Whether tasks may wait for it although others could start them: it is working or will be soon.
   */
  boolean mayBeWaitedFor() {
    return hello != null && !silent && !draining && pause.isEmpty() && terms().takesWork();
  }

  /** Whether it could take another task: there is a slot, and anything of a core. */
  public boolean hasFreeSlot() {
    return hasSlot() && machine.stock().coresFree() + lentCores() > 0;
  }

  private boolean hasSlot() {
    return hasSlots(1);
  }

  /** Whether it may hold so many more tasks, be there room for them or not. */
  public boolean hasSlots(int more) {
    return hello != null && busy() + more <= (hello.slotsSet() ? slots() : AgentHello.MAX_TASKS);
  }

  /** The number of held tasks that need slots. */
  private int busy() {
    return held() - Math.min(held(), waiting);
  }

  /** Mean run time of a project's tasks on this agent; negative while unknown. */
  public double meanMillis(int project) {
    double[] mean = meanMillisByProject.get(project);
    return mean == null ? -1 : mean[0];
  }

  public void ran(int project, long runMillis) {
    double[] mean = meanMillisByProject.get(project);
    if (mean == null) {
      meanMillisByProject.put(project, new double[] {runMillis});
    } else {
      mean[0] += MEAN_WEIGHT * (runMillis - mean[0]);
    }
  }

  /** Tasks of this project took longer than expected: none in advance until one has run. */
  public void forgetMean(int project) {
    meanMillisByProject.remove(project);
  }

  /**
   * Whether the agent may hold more than its slots: only while all it holds is known to be short,
   * or where tasks may wait there.
   */
  boolean mayPrefetch(SchedulerSettings settings, int queuePerSlot) {
    return machine.agents().size() == 1
        && plainHeld == held()
        && machine.reservation == null
        && slots() > 0
        && (mayQueue(queuePerSlot)
            || (heldOfUnknownLength() <= waiting
                && busy() < slots() + settings.maxPrefetch()
                && backlogMillis() < budgetMillis(settings)));
  }

  /** Whether another task may wait here for a slot, however long it takes. */
  public boolean mayQueue(int perSlot) {
    return busy() < slots() * (1 + perSlot);
  }

  /** How many of its tasks wait for a slot. */
  public int queued() {
    return Math.max(0, busy() - slots());
  }

  /**
   * How many of its tasks it merely holds in advance: there is no core, or no slot, for them yet.
   */
  public int inAdvance() {
    int coreless = ahead - Math.min(held(), waiting);
    int slotless = hello != null && hello.slotsSet() ? queued() : 0;
    return Math.clamp(Math.max(coreless, slotless), 0, held());
  }

  public boolean fitsPrefetch(double expectedMillis, SchedulerSettings settings) {
    return expectedMillis >= 0 && backlogMillis() + expectedMillis <= budgetMillis(settings);
  }

  private double budgetMillis(SchedulerSettings settings) {
    return (double) settings.prefetchMillis() * slots();
  }

  /** Begins a new list of held leases and returns its number. */
  public long nextList() {
    return ++lists;
  }

  public NodeSeen seen(AgentHello said, boolean reachable, long nowMillis) {
    return new NodeSeen(
        said.node(),
        id(),
        said.name(),
        said.version(),
        said.platform(),
        said.slots(),
        reachable,
        nowMillis);
  }

  public AgentView view() {
    return new AgentView(
        id(),
        profile().node(),
        hello == null ? "" : hello.name(),
        slots(),
        held(),
        inAdvance(),
        connected && !silent,
        draining,
        pause,
        hello == null ? 0 : hello.trust(),
        terms(),
        offer());
  }
}
