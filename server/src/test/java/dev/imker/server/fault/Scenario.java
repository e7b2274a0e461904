package dev.imker.server.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.account.DropItem;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.DropItemPut;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.TaskImported;
import dev.imker.model.job.After;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.gateway.EarlierAttempts;
import dev.imker.server.loop.SpawnKey;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a pool does, from its beginning to the check of what came of it. */
enum Scenario {
  SUBMIT {
    @Override
    void play(SteppedPool pool) {
      JobId first = pool.submit(job("first", 2), "key-1");
      JobId second = pool.submit(job("second", 3), "key-2");
      assertThat(pool.submit(job("first", 2), "key-1")).isEqualTo(first);
      pool.finish(first, second);
      pool.checkPromises();
      assertThat(first).isNotEqualTo(second);
    }
  },
  RUN {
    @Override
    void play(SteppedPool pool) {
      JobId job = pool.submit(job("run", 5), "key");
      pool.finish(job);
      pool.checkPromises();
      assertAll(pool, job, 5, TaskState.DONE);
      pool.checkAccounts();
    }
  },
  RETRY {
    @Override
    void play(SteppedPool pool) {
      pool.agents()
          .outcomes(
              (task, attempt, round) ->
                  attempt < 3 ? AttemptOutcome.FAILED : AttemptOutcome.SUCCEEDED);
      JobId job = pool.submit(job("retry", 2), "key");
      pool.finish(job);
      pool.checkPromises();
      assertAll(pool, job, 2, TaskState.DONE);
      pool.checkAccounts();
    }
  },
  RESCUE {
    @Override
    void play(SteppedPool pool) {
      pool.agents().outcomes((task, attempt, round) -> outcome(pool, task));
      JobId job = pool.submit(job("rescue", 2), "key");
      pool.finish(job);
      pool.checkPromises();
      assertAll(pool, job, 2, TaskState.DONE);
      for (int i = 0; i < 2; i++) {
        assertThat(pool.store().reads().attempts(new TaskId(job, i)))
            .as("attempts that failed, the next one of which was told so")
            .filteredOn(one -> hasFailed(one.report()))
            .hasSize(1);
      }
    }

    // An attempt fails that is not told why the one before did; without a store none ends.
    private static @Nullable AttemptOutcome outcome(SteppedPool pool, TaskId task) {
      try {
        String error = new EarlierAttempts(pool.store().reads()).error(task);
        return error.equals(SteppedAgents.ERROR) ? AttemptOutcome.SUCCEEDED : AttemptOutcome.FAILED;
      } catch (ImkerException e) {
        return null;
      }
    }
  },
  GRAPH {
    @Override
    void play(SteppedPool pool) {
      Stage first = stage(2, USUAL).withName("first");
      Stage second =
          stage(2, USUAL)
              .withName("second")
              .withAfter(List.of(After.stage("first", After.Matching.EACH)));
      JobSpec spec = JobSpec.of("graph", "default", JobKind.NOOP, List.of(first, second));
      JobId job = pool.submit(spec, "key");
      pool.finish(job);
      pool.checkPromises();
      assertAll(pool, job, 4, TaskState.DONE);
    }
  },
  COPIES {
    @Override
    void play(SteppedPool pool) {
      pool.agents().outcomes((task, attempt, round) -> round < 4 ? null : AttemptOutcome.SUCCEEDED);
      JobId job = pool.submit(of("copies", stage(2, USUAL.withSpeculative(true))), "key");
      pool.finish(job);
      pool.checkPromises();
      assertAll(pool, job, 2, TaskState.DONE);
    }
  },
  QUORUM {
    @Override
    void play(SteppedPool pool) {
      JobId job = pool.submit(of("quorum", stage(2, USUAL.withQuorum(2))), "key");
      pool.finish(job);
      pool.restart();
      assertAll(pool, job, 2, TaskState.DONE);
    }
  },
  GANG {
    @Override
    void play(SteppedPool pool) {
      JobId job = pool.submit(of("gang", stage(3, USUAL.with(rules -> rules.gang = true))), "key");
      pool.finish(job);
      pool.checkPromises();
      assertAll(pool, job, 3, TaskState.DONE);
    }
  },
  SPAWN {
    @Override
    void play(SteppedPool pool) {
      JobId[] child = {new JobId(0)};
      pool.agents()
          .outcomes(
              (task, attempt, round) ->
                  task.job().value() == 1 && child[0].value() == 0
                      ? null
                      : AttemptOutcome.SUCCEEDED);
      JobId parent = pool.submit(job("parent", 1), "key");
      TaskId task = new TaskId(parent, 0);
      Lease lease = pool.agents().running(task);
      while (lease == null) {
        pool.round();
        lease = pool.agents().running(task);
      }
      String key = new SpawnKey(pool.agents().holder(lease), lease, "call").text();
      child[0] = pool.submit(job("child", 2), key);
      pool.finish(parent, child[0]);
      pool.checkPromises();
      assertAll(pool, child[0], 2, TaskState.DONE);
    }
  },
  RESTART {
    @Override
    void play(SteppedPool pool) {
      pool.agents()
          .outcomes(
              (task, attempt, round) -> {
                if (task.index() < 2) {
                  return AttemptOutcome.SUCCEEDED;
                }
                pool.agents().forgetResults(task.job()); // they are made again
                return AttemptOutcome.FAILED;
              });
      Stage last =
          stage(1, USUAL.withLimits(1, 0))
              .withName("last")
              .withAfter(List.of(After.stage("first", After.Matching.ALL)));
      JobSpec spec =
          new JobSpec(
              JobSpec.CURRENT_VERSION,
              "restart",
              "default",
              JobKind.NOOP,
              JobSpec.DEFAULT_PRIORITY,
              List.of(stage(2, USUAL).withName("first"), last),
              new OnFailure(OnFailure.Way.RESTART, 2),
              Notices.NOBODY);
      JobId job = pool.submit(spec, "key");
      pool.finish(job);
      pool.checkPromises();
      assertThat(pool.store().reads().job(job).orElseThrow().phase()).contains("RESTARTED 2");
      assertThat(pool.task(job, 0).state()).isEqualTo(TaskState.DONE);
      assertThat(pool.task(job, 1).state()).isEqualTo(TaskState.DONE);
      assertThat(pool.task(job, 2).state()).isEqualTo(TaskState.AUTO_BLOCKED);
    }
  },
  ROLLBACK {
    @Override
    void play(SteppedPool pool) {
      pool.agents()
          .outcomes(
              (task, attempt, round) ->
                  task.index() < 2
                      ? AttemptOutcome.SUCCEEDED
                      : round < 4 ? null : AttemptOutcome.FAILED);
      JobSpec spec =
          new JobSpec(
              JobSpec.CURRENT_VERSION,
              "rollback",
              "default",
              JobKind.JAVA,
              JobSpec.DEFAULT_PRIORITY,
              List.of(stage(3, USUAL.withLimits(1, 0)).withPayload("{}")),
              new OnFailure(OnFailure.Way.ROLLBACK, 0),
              Notices.NOBODY);
      JobId job = pool.submit(spec, "key");
      pool.finish(job);
      pool.agents().forgetResults(job);
      pool.checkPromises();
      assertThat(pool.store().reads().job(job).orElseThrow().phase()).contains("ROLLED_BACK");
      assertThat(pool.task(job, 0).state()).isEqualTo(TaskState.CANCELLED);
      assertThat(pool.task(job, 1).state()).isEqualTo(TaskState.CANCELLED);
      assertThat(pool.agents().undone()).contains(new TaskId(job, 0), new TaskId(job, 1));
    }
  },
  CANCEL {
    @Override
    void play(SteppedPool pool) {
      pool.agents().outcomes((task, attempt, round) -> round < 3 ? null : AttemptOutcome.SUCCEEDED);
      JobId job = pool.submit(job("cancel", 8), "key");
      pool.round();
      pool.ask(() -> pool.jobs().act(JobCommands.Action.CANCEL, job, 0, 8));
      pool.finish(job);
      pool.checkPromises();
      for (int i = 0; i < 8; i++) {
        assertThat(pool.task(job, i).state()).isIn(TaskState.DONE, TaskState.CANCELLED);
      }
      assertThat(pool.task(job, 7).state()).isEqualTo(TaskState.CANCELLED);
    }
  },
  IMPORT {
    @Override
    void play(SteppedPool pool) {
      JobId done = null;
      while (done == null) {
        long epoch = pool.look(state -> state.epoch());
        List<JobId> half = pool.read(disk -> JobCommands.incomplete(disk, epoch));
        if (!half.isEmpty()) {
          pool.ask(() -> pool.jobs().discard(half));
        }
        JobId job =
            pool.ask(() -> pool.jobs().addSettled("admin", job("import", 2), 1, 2, 4, DONE));
        pool.change(
            (state, nowMillis, out) -> {
              if (state.epoch() == epoch) { // the server that imports; with it the import ends
                out.change(imported(job, 0));
                out.change(imported(job, 1));
              }
              return true;
            });
        if (pool.look(state -> state.epoch()) == epoch) {
          pool.ask(() -> pool.jobs().imported(List.of(job)));
          done = job;
        }
      }
      pool.restart();
      long epoch = pool.look(state -> state.epoch());
      List<JobId> half = pool.read(disk -> JobCommands.incomplete(disk, epoch));
      if (!half.isEmpty()) {
        assertThat(half).doesNotContain(done);
        pool.ask(() -> pool.jobs().discard(half));
      }
      pool.checkPromises();
      assertAll(pool, done, 2, TaskState.DONE);
    }
  },
  CHECKPOINT {
    @Override
    void play(SteppedPool pool) {
      pool.agents().outcomes((task, attempt, round) -> round < 3 ? null : AttemptOutcome.SUCCEEDED);
      JobId job = pool.submit(job("checkpoint", 1), "key");
      for (int i = 1; i <= 4; i++) {
        String value = Integer.toString(i);
        pool.change(
            (state, nowMillis, out) -> {
              out.change(new SettingPut("checkpoint/" + job + ".0", value));
              return true;
            });
        pool.round();
        String kept = pool.read(disk -> disk.setting("checkpoint/" + job + ".0").orElse("nothing"));
        assertThat(kept).isEqualTo(value);
      }
      pool.finish(job);
      pool.checkPromises();
      assertThat(pool.store().setting("checkpoint/" + job + ".0")).contains("4");
    }
  },
  RETENTION {
    @Override
    void play(SteppedPool pool) {
      JobId old = pool.submit(job("old", 3), "key-1");
      pool.finish(old);
      pool.ask(() -> pool.jobs().remove(old));
      pool.forget(old);
      JobId next = pool.submit(job("next", 1), "key-2");
      pool.finish(next);
      pool.checkPromises();
      assertThat(pool.store().reads().job(old)).isEmpty();
      assertThat(next).isGreaterThan(old);
    }
  },
  DROP_FOLDER {
    @Override
    void play(SteppedPool pool) {
      DropItem item =
          new DropItem(
              "id",
              "/drop",
              "a.yaml",
              new BlobId("ab".repeat(32)),
              DropItem.State.RUNNING,
              false,
              List.of(),
              "",
              1,
              1);
      put(pool, item);
      JobId job = pool.submit(job("dropped", 2), item.id());
      DropItem running = item.withJobs(List.of(job), 2).asShown(3);
      put(pool, running);
      pool.finish(job);
      put(pool, running.as(DropItem.State.DONE, "", 4).asShown(5));
      pool.checkPromises();
      DropItem found = pool.store().drops().item("id").orElseThrow();
      assertThat(found.isOpen()).isFalse();
      assertThat(found.jobs()).containsExactly(job);
    }

    private void put(SteppedPool pool, DropItem item) {
      pool.change(
          (state, nowMillis, out) -> {
            out.change(new DropItemPut(item));
            return true;
          });
      DropItem found = pool.read(disk -> disk.drops().item(item.id()).orElseThrow());
      assertThat(found).isEqualTo(item);
    }
  },
  NOTICES {
    @Override
    void play(SteppedPool pool) {
      JobSpec spec =
          new JobSpec(
              JobSpec.CURRENT_VERSION,
              "notices",
              "default",
              JobKind.NOOP,
              JobSpec.DEFAULT_PRIORITY,
              List.of(stage(2, USUAL)),
              OnFailure.CARRY_ON,
              new Notices(List.of(), List.of("https://example.org/hook")));
      JobId job = pool.submit(spec, "key");
      pool.finish(job);
      pool.checkPromises();
      assertThat(pool.store().notices().of(job)).as("notices").hasSize(1);
    }
  };

  private static final TaskRules USUAL = TaskRules.USUAL.withSpeculative(false).withLimits(9, 0);
  private static final int[] DONE = new int[TaskState.values().length];

  static {
    DONE[TaskState.DONE.ordinal()] = 2;
  }

  abstract void play(SteppedPool pool);

  private static Stage stage(int tasks, TaskRules rules) {
    return Stage.of(List.of(), List.of(SweepAxis.range("n", 1, tasks, 1, 0))).withRules(rules);
  }

  private static JobSpec of(String name, Stage stage) {
    return JobSpec.of(name, "default", JobKind.NOOP, stage);
  }

  private static JobSpec job(String name, int tasks) {
    return of(name, stage(tasks, USUAL));
  }

  private static boolean hasFailed(@Nullable AttemptReport report) {
    return report != null && report.outcome() == AttemptOutcome.FAILED;
  }

  private static TaskImported imported(JobId job, int index) {
    AttemptReport report = AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, 2, "");
    return new TaskImported(
        new TaskId(job, index),
        TaskState.DONE,
        0,
        0,
        2,
        List.of(
            new TaskImported.Attempt(
                LeaseToken.of(1, index), 1, new AgentId("x"), new NodeId("y"), 1, report)),
        0);
  }

  private static void assertAll(SteppedPool pool, JobId job, int tasks, TaskState state) {
    for (int i = 0; i < tasks; i++) {
      assertThat(Objects.requireNonNull(pool.task(job, i)).state())
          .as("task %s.%d", job, i + 1)
          .isEqualTo(state);
    }
  }
}
