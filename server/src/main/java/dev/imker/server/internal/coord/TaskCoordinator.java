package dev.imker.server.internal.coord;

import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.TaskCoordination;
import dev.imker.coord.tasks.ZooKeeperCoordination;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.server.commands.Await;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.live.shared.ProgramMember;
import dev.imker.server.live.shared.SharedRuns;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordination for the tasks of this pool: in the ZooKeeper of the pool if it has one, connected to
 * when the first task asks for it, and else in the pool's own store.
 */
public final class TaskCoordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskCoordinator.class);
  private static final Duration CLEANING = Duration.ofMinutes(1);
  private static final long BELIEVED_NANOS = Duration.ofMillis(500).toNanos();
  private static final long SHARED_NANOS = Duration.ofHours(24).toNanos();
  private static final Duration LOOKING = Duration.ofSeconds(1);
  private static final int MAX_BELIEVED = 100_000;

  private final String zookeeper;
  private final Reads reads;
  private final SchedulerLoop loop;
  private final SharedWakes wakes;
  private final ProgramPresence programs;
  private final Map<String, Long> shared = new ConcurrentHashMap<>();
  private final Map<Member, Long> believed = new ConcurrentHashMap<>();

  private @Nullable TaskCoordination coordination;
  private @Nullable Thread cleaning;

  /**
   * @param zookeeper where it is; empty if there is none
   * @param wakes hears what the loop has written
   * @param sinceFollowed how long ago a session of a user was followed here; zero while it is,
   *     empty if it never was
   */
  public TaskCoordinator(
      String zookeeper,
      Reads reads,
      SchedulerLoop loop,
      SharedWakes wakes,
      BiFunction<String, String, Optional<Duration>> sinceFollowed) {
    this.zookeeper = zookeeper;
    this.reads = reads;
    this.loop = loop;
    this.wakes = wakes;
    this.programs = new ProgramPresence(sinceFollowed, System::nanoTime);
  }

  public synchronized TaskCoordination get() {
    TaskCoordination present = coordination;
    if (present != null) {
      return present;
    }
    TaskCoordination fresh = zookeeper.isEmpty() ? stored() : inZooKeeper();
    coordination = fresh;
    return fresh;
  }

  private TaskCoordination stored() {
    StoredCoordination fresh = new StoredCoordination(loop, wakes);
    cleaning = Thread.ofVirtual().name("imker-coordination").start(() -> look(fresh));
    return fresh;
  }

  private TaskCoordination inZooKeeper() {
    long epoch = loop.ask(PoolState::epoch).join();
    TaskCoordination fresh = new ZooKeeperCoordination(zookeeper, this::isAlive, epoch);
    cleaning = Thread.ofVirtual().name("imker-coordination").start(() -> clean(fresh));
    return fresh;
  }

  /**
   * A server begins to lead: what it finds in its store is tidied up, whether anybody asks or not.
   *
   * @return how to end it
   */
  public Runnable begin() {
    if (zookeeper.isEmpty()) {
      var _ = get();
    }
    return this::close;
  }

  /**
   * The scope of names for a task: its job, or what the user's jobs have named the same.
   *
   * @param named empty for the job
   */
  public String scope(String user, String named, JobId job) {
    if (named.isEmpty()) {
      return SharedRuns.scope(job);
    }
    return shared(user, named);
  }

  /** The scope of names that a user's jobs and programs have named the same. */
  public String shared(String user, String named) {
    String scope = SharedRuns.scope(user, named);
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
    if (SharedRuns.isNamed(scope)) {
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
          LOG.warn("Coordination could not be cleaned up: {}", e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Coordination is over");
    }
  }

  private synchronized boolean serves(TaskCoordination one) {
    return one.equals(coordination);
  }

  private void tidy(TaskCoordination of) throws InterruptedException {
    for (String scope : of.scopes()) {
      if (isOver(scope)) {
        of.forget(scope);
        shared.remove(scope);
      } else {
        of.tidy(scope);
      }
    }
  }

  /** Once a second, whether programs are still there; more rarely, what is over. */
  private void look(StoredCoordination of) {
    long tidied = System.nanoTime();
    long epoch = loop.epoch();
    try {
      while (serves(of)) {
        Thread.sleep(LOOKING);
        try {
          if (loop.epoch() != epoch) {
            epoch = loop.epoch();
            wakes.wakeEverybody(); // all was read again
          }
          if (!loop.isLeading()) {
            continue; // whoever leads does it
          }
          departGone(of);
          if (System.nanoTime() - tidied > CLEANING.toNanos()) {
            tidied = System.nanoTime();
            tidy(of);
          }
        } catch (RuntimeException e) { // such as a database that is away: tried again later
          LOG.debug("Coordination could not be cleaned up: {}", e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Coordination is over");
    }
  }

  private void departGone(StoredCoordination of) throws InterruptedException {
    for (ProgramMember program : Await.answer(loop.ask(pool -> pool.shared().programs()))) {
      if (!programs.isThere(program)) {
        of.depart(program.member());
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
  }
}
