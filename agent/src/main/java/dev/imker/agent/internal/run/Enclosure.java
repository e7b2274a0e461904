package dev.imker.agent.internal.run;

import dev.imker.agent.internal.confine.Confinement;
import dev.imker.agent.internal.host.HostSettings;
import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.agent.internal.policy.Policy.NetworkMode;
import dev.imker.agent.internal.policy.SignedJobs;
import dev.imker.agent.internal.process.ProcessLimits.MemoryOf;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.model.Granted;
import dev.imker.model.job.TaskRules;
import dev.imker.model.job.TaskTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Applies the owner's terms to a task: limits, cores, sandbox, network. */
public final class Enclosure implements HostSettings.Enclosing {
  private final Policy policy;
  private final Confinement confinement;
  private final Supplier<BitSet> hostCores;
  private final SignedJobs signedJobs;
  private final Map<String, Path> sockets;

  /**
   * @param sockets of the agent that tasks see, by their paths inside a sandbox
   * @param hostCores where processes that run several tasks may run
   */
  public Enclosure(
      Policy policy,
      Confinement confinement,
      Map<String, Path> sockets,
      Supplier<BitSet> hostCores) {
    this.sockets = sockets;
    this.policy = policy;
    this.confinement = confinement;
    this.hostCores = hostCores;
    this.signedJobs = new SignedJobs(policy.signing());
  }

  /**
   * @throws StartFailedException when the task cannot run on these terms
   */
  ProcessSpec enclose(TaskRun run, ProcessSpec spec, TaskFolder folder) {
    TaskRules rules = run.template.rules();
    Granted granted = run.held.granted();
    boolean network = rules.network();
    return enclose(
        spec.with(
            policy
                .limits()
                .withMemory(rules.maxMemoryBytes(), MemoryOf.JOB)
                .withMemory(granted.of("memory"), MemoryOf.NEEDS)
                .withCores(granted.of("cores"))),
        new Confinement.Room(
            spec.folder(),
            folder.temporary(),
            network,
            folder.name(),
            folder.mounts(),
            sockets,
            folder.user()));
  }

  /**
   * @throws StartFailedException when the owner runs only signed jobs and this is none, or when it
   *     would be let into the machine's own network and its user is no admin
   */
  void checkTrust(HeldLease held, TaskTemplate template) {
    if (template.rules().network()
        && policy.network() == NetworkMode.YES
        && !confinement.hasOutgoing()
        && !held.isOfAdmin()) {
      throw new StartFailedException(
          "The task needs the network, and this node cannot give it an isolated one; only"
              + " tasks of admins get the machine's network. Its owner can change that: 'imker"
              + " doctor' on the node says how.");
    }
    signedJobs.check(template, held.params(), held.secrets().values(), held.inputs());
  }

  @Override
  public boolean hasUsers() {
    return confinement.hasUsers();
  }

  @Override
  public Optional<TaskUser> user() throws IOException {
    return confinement.user();
  }

  @Override
  public boolean mounts() {
    return confinement.mounts();
  }

  @Override
  public ProcessSpec enclose(
      ProcessSpec spec,
      Path temporary,
      boolean network,
      Map<String, Path> mounts,
      Optional<TaskUser> user) {
    return enclose(
        spec.with(policy.limits()).on(hostCores.get()),
        new Confinement.Room(spec.folder(), temporary, network, "", mounts, Map.of(), user));
  }

  private ProcessSpec enclose(ProcessSpec spec, Confinement.Room room) {
    if (room.network() && policy.network() == NetworkMode.NO) {
      throw new StartFailedException(
          "The task needs the network, and the policy of this node does not allow it.");
    }
    if (room.network() && policy.network() == NetworkMode.OUTGOING && !confinement.hasOutgoing()) {
      throw new StartFailedException(
          "The task needs the network, and this node cannot give it an isolated one,"
              + " which its policy requires.");
    }
    return confinement.confine(spec, room);
  }
}
