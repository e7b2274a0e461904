package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import dev.imker.model.BandwidthNoise;
import dev.imker.model.BlobId;
import dev.imker.model.Lease;
import dev.imker.model.job.InputFile;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.update.AgentRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The file permissions of an agent: it may fetch files of its current tasks, and store their
 * results on the account of their users.
 */
public record AgentFiles(
    SchedulerLoop loop, Handouts handouts, Disclosures disclosures, AgentRelease release) {
  /** Says for which lease an agent stores a file: job, index, number, incarnation. */
  public static final String LEASE_HEADER = "Imker-Lease";

  private static final long PATIENCE_SECONDS = 60;

  private record Held(Lease lease, LiveJob job) {
    boolean names(BlobId blob) {
      return job.spec().stageOf(lease.task().index()).inputs().stream()
          .anyMatch(file -> file.blob().equals(blob));
    }
  }

  /** Whether it belongs to no user, so that every agent may have it. */
  public boolean isCommon(BlobId blob) {
    return blob.sha256().equals(release.offer().build()) || blob.equals(BandwidthNoise.BLOB);
  }

  public boolean mayFetch(Identity agent, BlobId blob) {
    if (isCommon(blob)) {
      return true;
    }
    AgentId id = new AgentId(agent.user());
    List<Held> held = join(loop.ask(pool -> held(pool, id, agent.stamp())));
    if (held.isEmpty()) {
      return false;
    }
    return held.stream().anyMatch(one -> one.names(blob))
        || disclosures.hasOutcome(id, blob)
        || held.stream().anyMatch(one -> wasTold(id, one, blob));
  }

  private static List<Held> held(PoolState pool, AgentId agent, long stamp) {
    List<Held> held = new ArrayList<>();
    if (pool.agents().keys().isValid(agent, stamp)) {
      for (Lease lease : pool.scheduler().view().leases(agent)) {
        LiveJob job = pool.job(lease.task().job());
        if (job != null) {
          held.add(new Held(lease, job));
        }
      }
    }
    return held;
  }

  private boolean wasTold(AgentId agent, Held held, BlobId blob) {
    return disclosures
        .ofTask(agent, held.lease)
        .map(told -> told.contains(blob))
        .orElseGet(
            () -> {
              Set<BlobId> files =
                  handouts.filesOf(held.job, held.lease.task()).stream()
                      .map(InputFile::blob)
                      .collect(Collectors.toUnmodifiableSet());
              disclosures.ofTask(agent, held.lease, files);
              return files.contains(blob);
            });
  }

  /** The user whose task an agent stores a file for; empty if it does not have the task. */
  public Optional<String> userOf(Identity agent, String lease) {
    Optional<Lease> named = parse(lease);
    AgentId id = new AgentId(agent.user());
    return named.flatMap(
        one ->
            join(
                loop.ask(
                    pool -> {
                      LiveJob job = pool.job(one.task().job());
                      boolean has =
                          pool.agents().keys().isValid(id, agent.stamp())
                              && pool.scheduler().view().isKnown(id, one);
                      return has && job != null ? Optional.of(job.user()) : Optional.empty();
                    })));
  }

  /** Whether the key of an agent is good. */
  public boolean isValid(Identity agent) {
    return join(
        loop.ask(pool -> pool.agents().keys().isValid(new AgentId(agent.user()), agent.stamp())));
  }

  private static Optional<Lease> parse(String text) {
    try {
      return Optional.of(Lease.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static <T> T join(CompletableFuture<T> answer) {
    try {
      return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof TimeoutException late) {
        throw new PoolUnavailableException("The server did not answer in time; try again.", late);
      }
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
