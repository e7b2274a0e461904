package dev.imker.core;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.jobs.JobTable;
import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.leases.LeaseTable;
import dev.imker.core.internal.leases.LostLeases;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.NodeTerms;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.resource.Grant;
import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Agents connect, send signs of life, fall silent and leave; their leases and profiles follow. */
final class AgentEvents {
  private final SchedulerSettings settings;
  private final AgentTable agents;
  private final LeaseTable leases;
  private final Attempts attempts;
  private final PoolProfile profiles;
  private long edition;
  private final ReadyWork ready;
  private final JobTable jobs;
  private final LostLeases lost = new LostLeases();

  AgentEvents(
      SchedulerSettings settings,
      AgentTable agents,
      LeaseTable leases,
      Attempts attempts,
      PoolProfile profiles,
      ReadyWork ready,
      JobTable jobs) {
    this.settings = settings;
    this.agents = agents;
    this.leases = leases;
    this.attempts = attempts;
    this.profiles = profiles;
    this.ready = ready;
    this.jobs = jobs;
  }

  /** Changes whenever something about an agent is written. */
  long edition() {
    return edition;
  }

  void hello(long nowMillis, AgentHello hello, Outbox out) {
    AgentSlots agent = known(nowMillis, hello, out);
    boolean restarted =
        agent.incarnation != hello.incarnation()
            && agent.incarnation != AgentSlots.UNKNOWN_INCARNATION;
    readopt(nowMillis, agent, hello.held(), out);
    long list = mark(agent, hello.held());
    for (Lease lease : unknown(agent, hello.held())) {
      out.stop(agent.id(), lease, "the lease is no longer valid");
    }
    loseUnnamed(nowMillis, agent, list, Long.MAX_VALUE, "the agent no longer has it", out);
    if (restarted) {
      agent.draining = false;
      agent.pause = "";
      nodeDown(nowMillis, agent);
    }
    agent.hello = hello;
    waiting(agent, 0, Map.of());
    agent.incarnation = hello.incarnation();
    agent.connected = true;
    agent.hungUp = false;
    agent.silent = false;
    agents.heard(agent, nowMillis);
    agents.group(agent, hello);
    nodeUp(nowMillis, agent, hello);
    tellSeen(nowMillis, agent, true, out);
  }

  /** Returns the leases that the agent names but does not have. */
  List<Lease> signOfLife(long nowMillis, AgentId id, List<Lease> held, Outbox out) {
    AgentSlots agent = agents.get(id);
    if (agent == null || !agent.connected) {
      return List.copyOf(held);
    }
    agents.heard(agent, nowMillis);
    if (agent.silent) {
      revive(nowMillis, agent, out);
    }
    readopt(nowMillis, agent, held, out);
    long list = mark(agent, held);
    List<Lease> unknown = unknown(agent, held);
    // A young lease may have crossed this message on its way.
    long oldEnough = nowMillis - settings.leaseMillis() / 3;
    loseUnnamed(nowMillis, agent, list, oldEnough, "the agent no longer reports it", out);
    return unknown;
  }

  void disconnect(long nowMillis, AgentId id, Outbox out) {
    AgentSlots agent = agents.get(id);
    if (agent == null || !agent.connected) {
      return;
    }
    boolean wasSilent = agent.silent;
    agent.connected = false;
    agent.hungUp = true;
    agent.silent = false;
    agents.place(agent);
    if (!wasSilent) {
      tellSeen(nowMillis, agent, false, out);
    }
    if (agent.held() == 0 && (agent.draining || wasSilent)) {
      leave(nowMillis, agent);
    }
  }

  void drain(AgentId id, boolean on, Outbox out) {
    AgentSlots agent = agents.get(id);
    if (agent != null) {
      agent.draining = on;
      agents.place(agent);
      out.nodesTouched();
    }
  }

  void waiting(AgentId id, int count, Map<String, Integer> byUser) {
    AgentSlots agent = agents.get(id);
    if (agent != null && agent.connected) {
      waiting(agent, count, byUser);
      agents.place(agent);
    }
  }

  /**
   * An agent cannot have more waiting tasks than it holds, and only for users who have work here.
   */
  private void waiting(AgentSlots agent, int count, Map<String, Integer> byUser) {
    agent.waitingByUser.forEach((user, tasks) -> ready.waits(user, -tasks));
    Map<String, Integer> believed = new HashMap<>();
    byUser.forEach(
        (user, tasks) -> {
          if (tasks > 0 && ready.knowsUser(user)) {
            believed.put(user, Math.min(tasks, agent.held()));
          }
        });
    believed.forEach(ready::waits);
    agent.waitingByUser = Map.copyOf(believed);
    agent.waiting = Math.max(0, count);
  }

  void pause(long nowMillis, AgentId id, String why, Map<Lease, Long> pausedMillis, Outbox out) {
    AgentSlots agent = agents.get(id);
    if (agent == null) {
      return;
    }
    if (!agent.pause.equals(why)) {
      agent.pause = why;
      agents.place(agent);
      out.nodesTouched();
      agent.attempts().forEach(leases::limit);
    }
    pausedMillis.forEach(
        (lease, millis) -> {
          LiveAttempt attempt = leases.find(id, lease);
          if (attempt != null && attempt.pausedMillis != millis) {
            long age = Math.max(0, nowMillis - attempt.startedMillis);
            leases.paused(attempt, Math.clamp(millis, 0, age), nowMillis);
          }
        });
  }

  /** The agent learnt more about its node. */
  void platform(long nowMillis, AgentId id, Platform platform, Outbox out) {
    AgentSlots agent = agents.get(id);
    AgentHello hello = agent == null ? null : agent.hello;
    if (agent == null || hello == null || !agent.connected) {
      return;
    }
    AgentHello better = hello.withPlatform(platform);
    agent.hello = better;
    agents.group(agent, better);
    if (platform.benchmarkMillis() > 0) {
      profiles.onBenchmark(agent.profile(), platform.benchmarkMillis());
    }
    tellSeen(nowMillis, agent, !agent.silent, out);
  }

  /** The agent was granted another level of trust; its running tasks stay. */
  void trust(AgentId id, int level) {
    AgentSlots agent = agents.get(id);
    AgentHello hello = agent == null ? null : agent.hello;
    if (agent != null && hello != null && hello.trust() != level) {
      AgentHello next = hello.withTrust(level);
      agent.hello = next;
      agents.group(agent, next);
    }
  }

  /** An admin changed the terms of a node; its running tasks stay. */
  void terms(NodeId node, NodeTerms terms, Outbox out) {
    out.nodesTouched();
    for (AgentSlots agent : agents.all()) {
      AgentHello hello = agent.hello;
      if (hello != null && hello.node().equals(node)) {
        AgentHello next = hello.withTerms(terms);
        agent.hello = next;
        agents.group(agent, next);
        if (!hello.terms().pause().equals(terms.pause())) {
          out.pause(agent.id(), terms.pause());
        }
      }
    }
  }

  /** Updates the users to whom agents may be exposed; their running tasks stay. */
  void expose(Function<AgentHello, List<String>> to) {
    for (AgentSlots agent : agents.all()) {
      AgentHello hello = agent.hello;
      if (hello != null && !hello.offer().exposedTo().equals(to.apply(hello))) {
        AgentHello next = hello.exposedTo(to.apply(hello));
        agent.hello = next;
        agents.group(agent, next);
      }
    }
  }

  /** Loses the leases of agents that were silent for too long. */
  void expire(long nowMillis, Outbox out) {
    for (AgentSlots agent = agents.overdue(nowMillis);
        agent != null;
        agent = agents.overdue(nowMillis)) {
      agents.unhear(agent);
      waiting(agent, 0, Map.of());
      boolean excused = agents.isExcused(agent);
      String why =
          "its agent was silent for "
              + (settings.leaseMillis() < 1000
                  ? settings.leaseMillis() + " ms"
                  : settings.leaseMillis() / 1000 + " s")
              + (excused ? ", during which the server was suspended" : "");
      for (LiveAttempt attempt : agent.attempts()) {
        RunningTask task = attempt.task;
        attempt.excused = excused;
        giveUp(nowMillis, attempt, why, out);
        if (task != null) {
          lost.add(attempt, task.job);
        }
      }
      if (agent.connected) {
        agent.silent = true;
        agents.place(agent);
        nodeDown(nowMillis, agent);
        tellSeen(nowMillis, agent, false, out);
      } else {
        leave(nowMillis, agent);
      }
    }
  }

  /** The agent's record; a new one if it is unknown or has moved to another node. */
  private AgentSlots known(long nowMillis, AgentHello hello, Outbox out) {
    AgentSlots agent = agents.get(hello.agent());
    if (agent != null && !agent.profile().node().equals(hello.node())) {
      for (LiveAttempt attempt : agent.attempts()) {
        giveUp(nowMillis, attempt, "its agent moved to another node", out);
      }
      leave(nowMillis, agent);
      agent = null;
    }
    return agent == null ? agents.add(hello.agent(), profiles.node(hello.node())) : agent;
  }

  private void revive(long nowMillis, AgentSlots agent, Outbox out) {
    agent.silent = false;
    AgentHello hello = agent.hello;
    if (hello != null) {
      nodeUp(nowMillis, agent, hello);
    }
    tellSeen(nowMillis, agent, true, out);
    agents.place(agent);
  }

  private void leave(long nowMillis, AgentSlots agent) {
    waiting(agent, 0, Map.of());
    agents.remove(agent);
    if (agent.draining && !hasOtherAgent(agent)) {
      profiles.onNodeLeft(nowMillis, agent.profile());
    } else {
      nodeDown(nowMillis, agent);
    }
  }

  private void nodeUp(long nowMillis, AgentSlots agent, AgentHello hello) {
    NodeProfile node = agent.profile();
    if (!node.isUp()) {
      boolean screenSaver = hello.platform().labels().contains("screen-saver");
      double told = hello.platform().benchmarkMillis();
      double benchmark = told > 0 ? told : node.benchmarkMillis();
      profiles.onNodeUp(nowMillis, node, benchmark, screenSaver, hello.incarnation());
    }
  }

  /** A node is down when the last of its agents is. */
  private void nodeDown(long nowMillis, AgentSlots agent) {
    if (!hasOtherAgent(agent)) {
      profiles.onNodeDown(nowMillis, agent.profile());
    }
  }

  private boolean hasOtherAgent(AgentSlots agent) {
    return agents.countOn(agent.profile()) > (agents.get(agent.id()) == agent ? 1 : 0);
  }

  /** Marks the named attempts; returns the number of the list. */
  private long mark(AgentSlots agent, List<Lease> held) {
    long list = agent.nextList();
    for (Lease lease : held) {
      LiveAttempt attempt = leases.find(agent.id(), lease);
      if (attempt != null) {
        attempt.namedIn = list;
      }
    }
    return list;
  }

  /**
   * The agent keeps what was lost while it was silent, unless the task, or a resource of it, was
   * given to somebody else in the meantime.
   */
  private void readopt(long nowMillis, AgentSlots agent, List<Lease> held, Outbox out) {
    boolean any = false;
    for (Lease lease : held) {
      LostLeases.Lost attempt = lost.take(agent.id(), lease);
      TaskArray job = jobs.get(lease.task().job());
      if (attempt != null && job != null && mayGoOn(job, lease.task().index(), attempt)) {
        Grant grant = agent.takeAgain(attempt.granted());
        if (grant != null) {
          attempts.readopt(nowMillis, agent, job, lease, attempt, grant, out);
          any = true;
        }
      }
    }
    if (any && agent.hello != null) {
      agents.place(agent);
    }
  }

  /**
   * A connected agent that was silent for too long names its former leases: it keeps them if
   * possible.
   */
  void comesBackWith(long nowMillis, AgentId id, Lease lease, Outbox out) {
    AgentSlots agent = agents.get(id);
    if (agent == null || !agent.connected || !lost.has(id, lease)) {
      return;
    }
    agents.heard(agent, nowMillis);
    if (agent.silent) {
      revive(nowMillis, agent, out);
    }
    readopt(nowMillis, agent, List.of(lease), out);
  }

  /** This lease cannot be regained. */
  void forgetLost(Lease lease) {
    lost.remove(lease);
  }

  private static boolean mayGoOn(TaskArray job, int index, LostLeases.Lost lost) {
    return job.attempts(index) == lost.attempts() // else another attempt has followed
        && job.orders().equals(lost.orders()) // else it may be meant to begin with other files
        && job.state(index) == TaskState.READY
        && !job.stage(index).holdsBack(index)
        && !job.isUndoing()
        && !job.stage(index).header().rules().gang();
  }

  private List<Lease> unknown(AgentSlots agent, List<Lease> held) {
    List<Lease> unknown = new ArrayList<>();
    for (Lease lease : held) {
      LiveAttempt attempt = leases.find(agent.id(), lease);
      boolean valid =
          attempt == null ? agent.accepted().contains(lease.token()) : !attempt.isRevoked();
      if (!valid) {
        unknown.add(lease);
      }
    }
    return unknown;
  }

  private void loseUnnamed(
      long nowMillis,
      AgentSlots agent,
      long list,
      long startedBeforeMillis,
      String why,
      Outbox out) {
    LiveAttempt next;
    for (LiveAttempt a = agent.firstAttempt(); a != null; a = next) {
      next = a.afterOfAgent;
      if (a.namedIn != list && a.startedMillis < startedBeforeMillis) {
        giveUp(nowMillis, a, why, out);
      }
    }
  }

  private void giveUp(long nowMillis, LiveAttempt attempt, String why, Outbox out) {
    if (attempt.isRevoked()) {
      attempts.freed(attempt);
    } else {
      attempts.lost(nowMillis, attempt, why, out);
    }
  }

  private void tellSeen(long nowMillis, AgentSlots agent, boolean reachable, Outbox out) {
    AgentHello hello = agent.hello;
    if (hello != null) {
      edition++;
      out.change(agent.seen(hello, reachable, nowMillis));
    }
  }
}
