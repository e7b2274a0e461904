package dev.imker.server.internal.coord;

import dev.imker.coord.tasks.EmbeddedZooKeeper;
import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.TaskCoordination;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.server.internal.auth.Identity;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordination for the tasks of this pool, started when the first task asks for it: on the
 * ZooKeeper of the pool, or on one inside this process.
 */
public final class TaskCoordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskCoordinator.class);
  private static final Duration CLEANING = Duration.ofMinutes(1);
  private static final long BELIEVED_NANOS = Duration.ofMillis(500).toNanos();
  private static final long SHARED_NANOS = Duration.ofHours(24).toNanos();
  private static final String NAMED = "s-";
  private static final int MAX_BELIEVED = 100_000;

  private final String zookeeper;
  private final Path folder;
  private final Reads reads;
  private final LongSupplier epoch;
  private final ProgramPresence programs;
  private final Map<String, Long> shared = new ConcurrentHashMap<>();
  private final Map<Member, Long> believed = new ConcurrentHashMap<>();

  private @Nullable EmbeddedZooKeeper embedded;
  private @Nullable TaskCoordination coordination;
  private @Nullable Thread cleaning;

  /**
   * @param zookeeper where it is; empty to run one here
   * @param folder for the one that runs here
   * @param epoch the present term of the server
   * @param sinceFollowed how long ago a session of a user was followed here; zero while it is,
   *     empty if it never was
   */
  public TaskCoordinator(
      String zookeeper,
      Path folder,
      Reads reads,
      LongSupplier epoch,
      BiFunction<String, String, Optional<Duration>> sinceFollowed) {
    this.zookeeper = zookeeper;
    this.folder = folder;
    this.reads = reads;
    this.epoch = epoch;
    this.programs = new ProgramPresence(sinceFollowed, System::nanoTime);
  }

  public synchronized TaskCoordination get() {
    TaskCoordination present = coordination;
    if (present != null) {
      return present;
    }
    String connect = zookeeper;
    if (connect.isEmpty()) {
      EmbeddedZooKeeper started = EmbeddedZooKeeper.start(folder);
      embedded = started;
      connect = started.connect();
    }
    TaskCoordination fresh = new TaskCoordination(connect, this::isAlive, epoch.getAsLong());
    coordination = fresh;
    cleaning = Thread.ofVirtual().name("imker-coordination").start(() -> clean(fresh));
    return fresh;
  }

  /**
   * The scope of names for a task: its job, or what the user's jobs have named the same.
   *
   * @param named empty for the job
   */
  public String scope(String user, String named, JobId job) {
    if (named.isEmpty()) {
      return Long.toString(job.value());
    }
    return shared(user, named);
  }

  /** The scope of names that a user's jobs and programs have named the same. */
  public String shared(String user, String named) {
    String scope =
        NAMED + HexFormat.of().formatHex(user.getBytes(StandardCharsets.UTF_8)) + "-" + named;
    shared.put(scope, System.nanoTime());
    return scope;
  }

  public static Member member(Identity.Held held) {
    Lease lease = held.lease();
    return new Member(lease.task().toString(), lease.text());
  }

  /**
   * What takes part for a program outside of the pool.
   *
   * @param session that it submits its jobs in
   * @param number of those that take part for it
   */
  public static Member program(String user, String session, long number) {
    return new ProgramMember(user, session, number).member();
  }

  /** The program of a session has said that it is there, and will go on saying so. */
  public void heardOf(String user, String session) {
    programs.heard(user, session);
  }

  /** A run that is over stays so; one that was there a moment ago is believed to be there. */
  private boolean isAlive(Member member) {
    long now = System.nanoTime();
    Long seen = believed.get(member);
    if (seen != null && now - seen < BELIEVED_NANOS) {
      return true;
    }
    boolean alive = isRunning(member.lease());
    if (alive) {
      if (believed.size() > MAX_BELIEVED) {
        believed.clear();
      }
      believed.put(member, now);
    } else {
      believed.remove(member);
    }
    return alive;
  }

  private boolean isRunning(String text) {
    Optional<ProgramMember> program = ProgramMember.of(text);
    if (program.isPresent()) {
      return programs.isThere(program.get());
    }
    try {
      Lease lease = Lease.parse(text);
      return reads.attempts(lease.task()).stream()
          .anyMatch(attempt -> attempt.token().equals(lease.token()) && attempt.report() == null);
    } catch (IllegalArgumentException e) {
      return false; // of a version that wrote leases in another way
    }
  }

  /** One that several jobs share is over when it was not used for long. */
  private boolean isOver(String scope) {
    if (scope.startsWith(NAMED)) {
      long usedNanos = shared.computeIfAbsent(scope, _ -> System.nanoTime());
      return System.nanoTime() - usedNanos > SHARED_NANOS;
    }
    return reads.job(new JobId(Long.parseLong(scope))).map(JobRecord::isSettled).orElse(true);
  }

  /** What a job's tasks agreed on goes when the job is finished. */
  private void clean(TaskCoordination of) {
    try {
      while (serves(of)) {
        Thread.sleep(CLEANING);
        try {
          tidy(of);
        } catch (RuntimeException e) { // such as a database that is away: tried again later
          LOG.warn("Coordination was not tidied up: {}", e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Coordination is over");
    }
  }

  private synchronized boolean serves(TaskCoordination one) {
    return one.equals(coordination);
  }

  private void tidy(TaskCoordination of) {
    for (String scope : of.scopes()) {
      if (isOver(scope)) {
        of.forget(scope);
        shared.remove(scope);
      }
    }
  }

  @Override
  public synchronized void close() {
    if (cleaning != null) {
      cleaning.interrupt();
      cleaning = null;
    }
    if (coordination != null) {
      coordination.close();
      coordination = null;
    }
    if (embedded != null) {
      embedded.close();
      embedded = null;
    }
  }
}
