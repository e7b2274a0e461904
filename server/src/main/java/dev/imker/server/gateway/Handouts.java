package dev.imker.server.gateway;

import dev.imker.core.message.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.BlobId;
import dev.imker.model.Granted;
import dev.imker.model.ImkerException;
import dev.imker.model.InputException;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.SecretReference;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.PoolState;
import dev.imker.store.Reads;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends tasks to agents: looks up what a task needs, describes its stage first, and returns to the
 * scheduler what cannot be delivered.
 */
final class Handouts {
  private static final Logger LOG = LoggerFactory.getLogger(Handouts.class);

  /** With the longest paths these are still less than the largest message. */
  private static final int MAX_INPUTS_OF_MESSAGE = 500;

  private final AgentChannels channels;
  private final Checkpoints checkpoints;
  private final Disclosures disclosures;
  private final DataInputs dataInputs;
  private final EarlierAttempts earlier;
  private final JobSecrets secrets;
  private final Predicate<String> admins;
  private final Executor threads;
  private final Consumer<Command> loop;

  /**
   * @param admins whether somebody is one
   * @param threads where things are looked up
   * @param loop takes commands
   */
  Handouts(
      AgentChannels channels,
      Checkpoints checkpoints,
      Disclosures disclosures,
      Reads reads,
      JobSecrets secrets,
      Predicate<String> admins,
      Executor threads,
      Consumer<Command> loop) {
    this.disclosures = disclosures;
    this.channels = channels;
    this.checkpoints = checkpoints;
    this.dataInputs = new DataInputs(reads);
    this.earlier = new EarlierAttempts(reads);
    this.secrets = secrets;
    this.admins = admins;
    this.threads = threads;
    this.loop = loop;
  }

  /** A task on its way to an agent. */
  private record Handout(
      AgentChannel channel,
      Lease lease,
      int attempt,
      int losses,
      Granted granted,
      LiveJob job,
      int stage,
      boolean undo) {
    Handout after(int tries, int lost) {
      return new Handout(channel, lease, tries + 1, lost, granted, job, stage, undo);
    }

    /** Whether something has to be looked up first: results of others, or of earlier attempts. */
    boolean needsLook() {
      return undo
          || !job.spec().stages().get(stage).dataInputs().isEmpty()
          || !SecretReference.in(job.spec().stages().get(stage)).isEmpty()
          || Checkpoints.mayBe(job, lease.task(), attempt);
    }
  }

  /**
   * What was looked up for an attempt.
   *
   * @param ahead messages with inputs for which there is no room in the assignment itself
   * @param blobs of all files, also of those in {@code ahead}
   * @param saved by earlier attempts
   */
  private record Found(
      List<Assignment> ahead,
      Set<BlobId> blobs,
      List<InputFile> inputs,
      List<InputFile> saved,
      String previousError,
      Map<String, String> secrets) {
    static final Found NOTHING = new Found(List.of(), Set.of(), List.of(), List.of(), "", Map.of());

    static Found of(
        Lease lease,
        List<InputFile> inputs,
        List<InputFile> saved,
        String previousError,
        Map<String, String> secrets) {
      Set<BlobId> blobs = new HashSet<>();
      inputs.forEach(file -> blobs.add(file.blob()));
      saved.forEach(file -> blobs.add(file.blob()));
      List<Assignment> ahead = new ArrayList<>();
      int first = 0;
      for (; inputs.size() - first > MAX_INPUTS_OF_MESSAGE; first += MAX_INPUTS_OF_MESSAGE) {
        List<InputFile> some = inputs.subList(first, first + MAX_INPUTS_OF_MESSAGE);
        ahead.add(Protocol.furtherInputs(lease, some));
      }
      return new Found(
          ahead,
          Set.copyOf(blobs),
          inputs.subList(first, inputs.size()),
          saved,
          previousError,
          secrets);
    }

    /** Without what belongs to earlier attempts. */
    Found asFirst() {
      return new Found(ahead, blobs, inputs, List.of(), "", secrets);
    }

    /** What an earlier attempt saved takes the place of what it began with. */
    List<InputFile> files() {
      if (inputs.isEmpty() || saved.isEmpty()) {
        return inputs.isEmpty() ? saved : inputs;
      }
      Map<String, InputFile> files = new LinkedHashMap<>();
      inputs.forEach(file -> files.put(file.path(), file));
      saved.forEach(file -> files.put(file.path(), file));
      return List.copyOf(files.values());
    }
  }

  /** Hands a task to an agent that is here; to one that is not, nothing is said. */
  void assign(AgentId agent, Lease lease, int attempt, Granted granted, LiveJob job, boolean undo) {
    AgentChannel channel = channels.get(agent);
    if (channel == null) {
      return;
    }
    int stage = job.stages().numberOf(lease.task().index());
    Handout handout = new Handout(channel, lease, attempt, 0, granted, job, stage, undo);
    if (handout.needsLook()) {
      threads.execute(() -> findInputs(handout));
    } else {
      deliver(handout, Found.NOTHING);
    }
  }

  /** Describes a stage to an agent that does not know it like this. */
  void describe(AgentId agent, LiveJob job, int stage) {
    AgentChannel channel = channels.get(agent);
    if (channel != null) {
      describe(channel, job, stage);
    }
  }

  static void describe(AgentChannel channel, LiveJob job, int stage) {
    if (channel.describe(job, stage)) {
      channel.send(Protocol.description(job, stage));
    }
  }

  /** What goes with one task besides the files of its job, looked up. */
  List<InputFile> filesOf(LiveJob job, TaskId task) {
    List<InputFile> files = new ArrayList<>();
    try {
      if (!job.spec().stageOf(task.index()).dataInputs().isEmpty()) {
        files.addAll(dataInputs.of(job, task.index()));
      }
    } catch (InputException e) {
      LOG.debug("Task {} has no inputs: {}", task, e.getMessage());
    }
    files.addAll(checkpoints.saved(job, task));
    files.addAll(earlier.results(task));
    return files;
  }

  /** On the loop's thread only, so nothing is looked up here. */
  private void deliver(Handout handout, Found found) {
    LiveJob job = handout.job;
    describe(handout.channel, job, handout.stage);
    List<InputFile> files = found.files();
    if (!found.blobs.isEmpty()) {
      disclosures.ofTask(handout.channel.agent(), handout.lease, found.blobs);
    }
    found.ahead.forEach(handout.channel::send);
    Assignment.Builder assignment =
        Protocol.assignment(handout.lease, handout.attempt, job, handout.stage, files);
    handout.channel.send(
        assignment
            .setPhase(handout.undo ? Phase.UNDO : Phase.RUN)
            .setLosses(handout.losses)
            .setPreviousError(found.previousError)
            .setGranted(handout.granted.text())
            .setOfAdmin(admins.test(job.user()))
            .putAllSecrets(found.secrets)
            .build());
  }

  private static boolean isJava(Handout handout) {
    return handout.job.spec().kind() == JobKind.JAVA;
  }

  private void findInputs(Handout handout) {
    TaskId task = handout.lease.task();
    try {
      List<InputFile> inputs = new ArrayList<>(dataInputs.of(handout.job, task.index()));
      if (handout.undo) {
        inputs.addAll(earlier.results(task));
      }
      boolean again = !handout.undo && handout.attempt > 1;
      List<InputFile> saved =
          again ? checkpoints.of(handout.job, task, handout.attempt) : List.of();
      String error = again ? earlier.error(task) : "";
      loop.accept(
          new Deliver(handout, Found.of(handout.lease, inputs, saved, error, secrets(handout))));
    } catch (InputException e) {
      loop.accept(
          new Refuse(handout.channel.agent(), handout.lease, String.valueOf(e.getMessage()), true));
    } catch (ImkerException e) {
      LOG.warn("Could not look up the inputs of task {}: {}", task, e.getMessage());
      loop.accept(
          new Refuse(
              handout.channel.agent(), handout.lease, String.valueOf(e.getMessage()), false));
    } catch (RuntimeException e) {
      LOG.error("Could not look up the inputs of task {}", task, e);
      String why = "The server could not look up what this task needs.";
      loop.accept(new Refuse(handout.channel.agent(), handout.lease, why, false));
    }
  }

  private Map<String, String> secrets(Handout handout) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String name : SecretReference.in(handout.job.spec().stages().get(handout.stage))) {
      String value =
          secrets
              .find(handout.job.user(), name)
              .orElseThrow(
                  () ->
                      new InputException(
                          "The secret '%s' was deleted; set it with 'imker secret set %s', then retry the task."
                              .formatted(name, name)));
      found.put(name, value);
    }
    return found;
  }

  /** An assignment for which something was looked up: meanwhile it may have been withdrawn. */
  private final class Deliver implements Command {
    private final Handout handout;
    private final Found found;
    private boolean valid;
    private int tries;
    private int losses;

    Deliver(Handout handout, Found found) {
      this.handout = handout;
      this.found = found;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      valid = pool.scheduler().view().isHeld(handout.channel.agent(), handout.lease);
      tries = pool.scheduler().view().tries(handout.lease.task());
      losses = pool.scheduler().view().losses(handout.lease.task());
    }

    @Override
    public void committed() {
      if (valid && isJava(handout) && !handout.undo) {
        // What was tried before the whole job began again is not this task's past.
        deliver(handout.after(tries, losses), tries == 0 ? found.asFirst() : found);
      } else if (valid) {
        deliver(handout, found);
      }
    }
  }

  /** A task that cannot be given to its agent. */
  private record Refuse(AgentId agent, Lease lease, String why, boolean forGood)
      implements Command {
    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      pool.scheduler().onUndeliverable(nowMillis, agent, lease, why, forGood, out);
    }
  }
}
