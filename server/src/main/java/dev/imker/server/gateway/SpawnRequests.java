package dev.imker.server.gateway;

import com.google.protobuf.ByteString;
import dev.imker.core.message.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.Lease;
import dev.imker.model.TaskState;
import dev.imker.model.account.Quota;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import dev.imker.model.job.JobSpec;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.SpawnKey;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.StoreException;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.SpawnOutcome;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks spawned by running tasks: creates jobs from them, and reports their outcome to the agent.
 * The key of the job contains the interested agent and the owner, so nothing is lost with the
 * server. When the task that spawned them ends without success, what it spawned is cancelled, also
 * by the server that leads next.
 */
public final class SpawnRequests {
  private static final Logger LOG = LoggerFactory.getLogger(SpawnRequests.class);

  private static final int PAGE = 1_000;

  /** It becomes a part of the request key of a job, which has to fit into an index. */
  private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,300}");

  private static final Set<TaskState> SETTLED =
      Arrays.stream(TaskState.values()).filter(TaskState::isSettled).collect(Collectors.toSet());

  private final Reads reads;
  private final Function<String, Quota> quotas;
  private final Executor threads;
  private final Executor later;
  private final BiConsumer<AgentId, Object> sender;
  private volatile @Nullable JobCommands jobs;
  private volatile @Nullable SchedulerLoop loop;

  /** The term whose orphans were looked for; on the loop's thread. */
  private long sweptEpoch;

  /**
   * @param threads may wait for the store
   * @param later the same after a while, when the store may work again
   * @param sender brings messages to agents
   */
  public SpawnRequests(
      Reads reads,
      Function<String, Quota> quotas,
      Executor threads,
      Executor later,
      BiConsumer<AgentId, Object> sender) {
    this.reads = reads;
    this.quotas = quotas;
    this.threads = threads;
    this.later = later;
    this.sender = sender;
  }

  public void connectTo(SchedulerLoop schedulerLoop) {
    loop = schedulerLoop;
    jobs = new JobCommands(schedulerLoop);
  }

  // ---------------------------------------------------------------- new ones

  /**
   * @throws IllegalArgumentException if the key is none that an agent makes
   */
  public void onSpawn(AgentId agent, Spawn message) {
    if (!KEY.matcher(message.getKey()).matches()) {
      throw new IllegalArgumentException("a key that is too long or not plain ASCII");
    }
    SchedulerLoop running = loop;
    if (running != null) {
      running.tell(new Look(agent, message));
    }
  }

  /** Looks at the task that spawns; the job is made elsewhere, since that may take a while. */
  private final class Look implements Command {
    private final AgentId agent;
    private final Spawn message;
    private final Lease parent;
    private @Nullable LiveJob job;

    Look(AgentId agent, Spawn message) {
      this.agent = agent;
      this.message = message;
      this.parent = WireLeases.of(message.getLease());
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      job = pool.scheduler().view().isHeld(agent, parent) ? pool.job(parent.task().job()) : null;
    }

    @Override
    public void committed() {
      LiveJob spawning = job;
      if (spawning == null) {
        refuse(agent, message, SpawnKey.PARENT_OVER);
      } else {
        read(threads, () -> submit(agent, parent, spawning, message));
      }
    }
  }

  /**
   * Does something that reads or writes, again and again until the store works: nobody else would.
   * Who leads next hears of it from the agents, and looks for orphans.
   */
  private void read(Executor executor, Runnable work) {
    executor.execute(
        () -> {
          try {
            work.run();
          } catch (StoreException e) {
            LOG.warn("A spawned job waits for the database: {}", e.getMessage());
            readLater(work);
          }
        });
  }

  private void readLater(Runnable work) {
    SchedulerLoop running = loop;
    if (running != null && running.isLeading()) {
      read(later, work);
    }
  }

  private void refuse(AgentId agent, Spawn message, String why) {
    sender.accept(agent, SpawnAnswer.newBuilder().setKey(message.getKey()).setRefused(why).build());
  }

  private void submit(AgentId agent, Lease parent, LiveJob spawning, Spawn message) {
    String key = new SpawnKey(agent, parent, message.getKey()).text();
    try {
      Optional<JobRecord> earlier = reads.byRequestKey(key);
      if (earlier.isPresent()) {
        tellAgain(agent, message.getKey(), earlier.get().id());
        return;
      }
      JobSpec spec = SpawnedJob.of(spawning.spec(), parent.task().index(), message);
      JobCommands commands = jobs;
      if (commands != null) {
        var _ =
            commands
                .submit(spawning.user(), spec, key, quotas.apply(spawning.user()))
                .whenComplete(
                    (made, failure) -> {
                      if (isTemporary(failure)) {
                        readLater(() -> submit(agent, parent, spawning, message));
                      } else {
                        answered(agent, message, made, failure);
                      }
                    });
      }
    } catch (StoreException e) {
      throw e;
    } catch (ImkerException e) {
      refuse(agent, message, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isTemporary(@Nullable Throwable failure) {
    return failure instanceof PoolUnavailableException
        || (failure != null && failure.getCause() instanceof PoolUnavailableException);
  }

  private void answered(
      AgentId agent,
      Spawn message,
      JobCommands.@Nullable Submitted made,
      @Nullable Throwable failure) {
    if (made == null) {
      Throwable cause =
          failure != null && failure.getCause() != null ? failure.getCause() : failure;
      refuse(agent, message, cause == null ? "" : String.valueOf(cause.getMessage()));
      return;
    }
    if (made.fresh()) {
      sender.accept(agent, SpawnAnswer.newBuilder().setKey(message.getKey()).build());
    } else {
      read(threads, () -> tellAgain(agent, message.getKey(), made.job()));
    }
  }

  /** Tells what has become of a job so far, page by page. */
  private void tellAgain(AgentId agent, String key, JobId job) {
    int next = 0;
    List<TaskRecord> page;
    do {
      page = reads.tasks(new TaskQuery(job, SETTLED, next, PAGE, true));
      SpawnAnswer.Builder answer = SpawnAnswer.newBuilder().setKey(key);
      for (TaskRecord task : page) {
        var last = task.last();
        var report = last == null ? null : last.report();
        answer.addOutcomes(
            outcome(
                task.id().index(),
                task.id().index() + 1,
                task.state(),
                report == null ? CapturedOutput.NONE : report.stdout(),
                report == null ? "" : report.error()));
        next = task.id().index() + 1;
      }
      sender.accept(agent, answer.build());
    } while (page.size() == PAGE);
  }

  private static SpawnOutcome outcome(
      int fromIndex, int toIndexExclusive, TaskState state, CapturedOutput stdout, String error) {
    SpawnOutcome.Builder outcome =
        SpawnOutcome.newBuilder()
            .setNumber(fromIndex + 1)
            .setLast(toIndexExclusive)
            .setState(state.name())
            .setError(error);
    if (stdout.blob() != null) {
      outcome.setStdoutSha256(stdout.blob().sha256());
    } else if (stdout.size() > 0) {
      outcome.setStdout(ByteString.copyFrom(stdout.inline()));
    }
    return outcome.build();
  }

  // ---------------------------------------------------------------- what becomes of them

  /** Hears what changed in a turn, on the loop's thread. */
  public void committed(List<Change> changes, PoolState pool) {
    if (sweptEpoch != pool.epoch()) {
      sweptEpoch = pool.epoch();
      cancelOrphans(pool);
    }
    if (pool.spawned().isEmpty()) {
      return;
    }
    Map<String, SpawnAnswer.Builder> answers = new LinkedHashMap<>();
    for (Change change : changes) {
      switch (change) {
        case AttemptEnded ended -> {
          endChildren(ended, pool);
          int index = ended.task().index();
          if (ended.state().isSettled()) {
            add(
                answers,
                pool.job(ended.task().job()),
                outcome(
                    index,
                    index + 1,
                    ended.state(),
                    ended.report().stdout(),
                    ended.report().error()));
          }
        }
        case TaskChanged task -> {
          int index = task.task().index();
          settled(answers, pool, task.task().job(), index, index + 1, task.state());
        }
        case TasksChanged tasks ->
            settled(
                answers,
                pool,
                tasks.job(),
                tasks.fromIndex(),
                tasks.toIndexExclusive(),
                tasks.state());
        default -> {}
      }
    }
    answers.forEach(this::send);
  }

  private static void settled(
      Map<String, SpawnAnswer.Builder> answers,
      PoolState pool,
      JobId job,
      int from,
      int toExclusive,
      TaskState state) {
    if (state.isSettled()) {
      add(answers, pool.job(job), outcome(from, toExclusive, state, CapturedOutput.NONE, ""));
    }
  }

  private static void add(
      Map<String, SpawnAnswer.Builder> answers, @Nullable LiveJob job, SpawnOutcome outcome) {
    if (job != null && SpawnKey.parse(job.requestKey()).isPresent()) {
      answers.computeIfAbsent(job.requestKey(), _ -> SpawnAnswer.newBuilder()).addOutcomes(outcome);
    }
  }

  private void send(String requestKey, SpawnAnswer.Builder answer) {
    SpawnKey.parse(requestKey)
        .ifPresent(key -> sender.accept(key.agent(), answer.setKey(key.key()).build()));
  }

  /** What a task spawned and did not wait for goes on only if the task itself succeeded. */
  private void endChildren(AttemptEnded ended, PoolState pool) {
    if (ended.report().outcome() != AttemptOutcome.SUCCEEDED) {
      Lease parent = new Lease(ended.task(), ended.token());
      List<JobId> children =
          pool.spawned().of(parent).stream().filter(child -> isOpen(child, pool)).toList();
      if (!children.isEmpty()) {
        pool.scheduler().forgetLost(parent); // it could not go on without them
        threads.execute(() -> children.forEach(this::cancel));
      }
    }
  }

  private static boolean isOpen(JobId job, PoolState pool) {
    int[] counts = pool.counts(job);
    return counts != null && !JobStatus.of(counts).isSettled();
  }

  /** Another server may have ended before it had cancelled what a task left behind. */
  private void cancelOrphans(PoolState pool) {
    pool.spawned()
        .forEach(
            (agent, parent, children) -> {
              if (!pool.scheduler().view().isHeld(agent, parent)) {
                read(threads, () -> cancelUnlessSucceeded(parent, children));
              }
            });
  }

  private void cancelUnlessSucceeded(Lease parent, List<JobId> children) {
    boolean succeeded =
        reads.attempts(parent.task()).stream()
            .filter(attempt -> attempt.token().equals(parent.token()))
            .map(AttemptRecord::report)
            .anyMatch(report -> report != null && report.outcome() == AttemptOutcome.SUCCEEDED);
    if (!succeeded) {
      children.forEach(this::cancel);
    }
  }

  private void cancel(JobId job) {
    JobCommands commands = jobs;
    if (commands != null) {
      var _ =
          commands
              .act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE)
              .exceptionally(
                  failure -> {
                    LOG.debug("Job {} could not be cancelled", job, failure);
                    return 0;
                  });
    }
  }
}
