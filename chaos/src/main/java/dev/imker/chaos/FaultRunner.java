package dev.imker.chaos;

import dev.imker.chaos.check.AttemptLog;
import dev.imker.chaos.check.PoolWrites.EpochBegun;
import dev.imker.chaos.check.Violation;
import dev.imker.chaos.check.WriteAudit;
import dev.imker.chaos.cluster.ChaosPool;
import dev.imker.chaos.cluster.Member;
import dev.imker.chaos.cluster.Pause;
import dev.imker.chaos.cluster.SmallDisk;
import dev.imker.chaos.cluster.WrongClock;
import dev.imker.chaos.load.PoolLoad;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Makes faults happen, and puts them right when their time is over. For one thread. */
final class FaultRunner {
  private static final long LEADER_SECONDS = 60;
  private static final long RESULTS_SECONDS = 240;
  private static final int RESULTS = 5;
  private static final long LOOK_MILLIS = 30;
  private static final long SETTLE_MILLIS = 4_000;
  private static final int LARGEST_JUMP_SECONDS = 7200;

  private record Repair(long dueNanos, Runnable action) {}

  private record Leader(Member member, EpochBegun epoch) {}

  private final ChaosPool pool;
  private final PoolLoad load;
  private final WriteAudit audit;
  private final FailOvers failOvers;
  private final Consumer<String> diary;
  private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
  private final List<String> ended = new ArrayList<>();
  private final PriorityQueue<Repair> repairs =
      new PriorityQueue<>(Comparator.comparingLong(Repair::dueNanos));

  FaultRunner(
      ChaosPool pool,
      PoolLoad load,
      WriteAudit audit,
      FailOvers failOvers,
      Consumer<String> diary) {
    this.pool = pool;
    this.load = load;
    this.audit = audit;
    this.failOvers = failOvers;
    this.diary = diary;
  }

  /** Makes it happen if it can happen on this system. */
  void run(Fault fault) {
    pause(fault.afterMillis());
    if (happen(fault)) {
      counts.merge(fault.kind(), 1, Integer::sum);
    }
  }

  /**
   * Agents that gave up, which nobody starts again on a machine that somebody else owns. A server
   * may end, and leave the rest to who starts it again.
   */
  List<Violation> agentsThatEnded() {
    return ended.stream()
        .filter(life -> pool.agents().stream().anyMatch(agent -> life.startsWith(agent.name())))
        .map(life -> new Violation(Violation.Promise.AGENTS_STAY, life + " ended by itself"))
        .toList();
  }

  int count(FaultKind kind) {
    return counts.getOrDefault(kind, 0);
  }

  Map<FaultKind, Integer> counts() {
    return counts;
  }

  /** Lets time pass, and puts right what is due. */
  private void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    do {
      repairDue();
      Pause.millis(LOOK_MILLIS);
    } while (System.nanoTime() < end);
  }

  private void repairDue() {
    for (Repair next = repairs.peek();
        next != null && next.dueNanos <= System.nanoTime();
        next = repairs.peek()) {
      repairs.remove(next);
      next.action.run();
    }
    startAgain(pool.servers());
    startAgain(pool.agents());
  }

  /** Whoever ended by itself is started again, as a supervisor would. */
  private void startAgain(List<Member> members) {
    for (Member member : members) {
      if (member.hasEndedByItself()) {
        diary.accept(member.life() + " ENDED BY ITSELF, and is started again");
        ended.add(member.life());
        member.start();
      }
    }
  }

  private boolean later(Fault fault, String what, Runnable repair) {
    diary.accept("%s for %d ms".formatted(what, fault.lastsMillis()));
    long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(fault.lastsMillis());
    repairs.add(new Repair(due, repair));
    return true;
  }

  private boolean happen(Fault fault) {
    return switch (fault.kind()) {
      case KILL_LEADER -> leader().map(leader -> killLeader(fault, leader)).orElse(false);
      case STOP_LEADER -> leader().map(leader -> stopLeader(fault, leader)).orElse(false);
      case KILL_STANDBY -> standby(fault).map(standby -> kill(fault, standby, true)).orElse(false);
      case STOP_STANDBY -> standby(fault).map(standby -> stop(fault, standby, true)).orElse(false);
      case KILL_AGENT -> agent(fault).map(agent -> kill(fault, agent, false)).orElse(false);
      case STOP_AGENT -> agent(fault).map(agent -> stop(fault, agent, false)).orElse(false);
      case KILL_DATABASE -> loseDatabase(fault, "database killed", pool.database()::kill);
      case RESTART_DATABASE ->
          loseDatabase(fault, "database stopped", () -> pool.database().end("INT"));
      case FILL_DISK_OF_DATABASE -> fillDatabase(fault);
      case KILL_ZOOKEEPER -> pool.isDecidedByZooKeeper() && kill(fault, pool.zookeeper(), true);
      case CUT_LEADER_FROM_DATABASE ->
          cut(fault, leader().map(Leader::member), List.of(ChaosPool.DATABASE));
      case CUT_LEADER_FROM_AGENTS -> cut(fault, leader().map(Leader::member), names(pool.agents()));
      case CUT_SERVER_OFF -> cut(fault, server(fault), everybody());
      case CUT_AGENT_OFF -> cut(fault, agent(fault), names(pool.servers()));
      case LOSE_PACKETS_OF_SERVER -> losePackets(fault, server(fault));
      case LOSE_PACKETS_OF_AGENT -> losePackets(fault, agent(fault));
      case JUMP_CLOCK -> jumpClock(fault);
      case FILL_DISK_OF_AGENT -> agent(fault).map(agent -> fillDisk(fault, agent)).orElse(false);
      case FILL_DISK_OF_SERVER ->
          server(fault).map(server -> fillDisk(fault, server)).orElse(false);
      case RESTART_EVERYTHING -> restartEverything(fault);
      case DEAFEN_STANDBYS -> deafenStandbys(fault);
      case LOSE_POWER_OF_LEADER -> leader().map(leader -> losePower(fault, leader)).orElse(false);
      case STOP_LEADER_FOR_MINUTES ->
          leader().map(leader -> stopLeader(fault, leader)).orElse(false);
      case LOSE_DATABASE_FOR_MINUTES ->
          loseDatabase(fault, "database killed", pool.database()::kill);
      case STOP_AGENT_FOR_MINUTES ->
          agent(fault).map(agent -> stop(fault, agent, false)).orElse(false);
      case RESTORE_BACKUP -> restoreBackup(fault);
    };
  }

  // ---------------------------------------------------------------- whom it meets

  /** Waits until the pool is at work: what happens to one that is still starting shows nothing. */
  void awaitWork() {
    for (int i = 0; i < 3 && leader().isEmpty(); i++) {
      diary.accept("the pool is still starting");
    }
  }

  /** Waits until some more tasks are done, for minutes at most: the next fault may outlast them. */
  void awaitResults() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RESULTS_SECONDS);
    long before = -1;
    while (System.nanoTime() < deadline) {
      try {
        long results = audit.results();
        before = before < 0 ? results : before;
        if (results >= before + RESULTS) {
          return;
        }
      } catch (SQLException e) {
        diary.accept("the database is away");
      }
      pause(SETTLE_MILLIS);
    }
    diary.accept("few results for %d s".formatted(RESULTS_SECONDS));
  }

  /** Waits for a leader that is well and has handed out something. */
  private Optional<Leader> leader() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LEADER_SECONDS);
    while (System.nanoTime() < deadline) {
      try {
        Optional<EpochBegun> epoch = audit.leader();
        Optional<Leader> found = epoch.flatMap(this::alive);
        if (found.isPresent() && audit.hasDispatched(found.get().epoch())) {
          return found;
        }
      } catch (SQLException e) {
        pause(LOOK_MILLIS); // the database is down
      }
      pause(LOOK_MILLIS);
    }
    diary.accept("NO LEADER for " + LEADER_SECONDS + " s");
    return Optional.empty();
  }

  private Optional<Leader> alive(EpochBegun epoch) {
    return pool.servers().stream()
        .filter(server -> pool.isInFolder() || server.life().equals(epoch.server()))
        .filter(server -> server.isAlive() && !server.isStopped())
        .map(server -> new Leader(server, epoch))
        .findFirst();
  }

  private Optional<Member> standby(Fault fault) {
    return leader()
        .flatMap(
            leader ->
                any(
                    fault,
                    pool.servers().stream().filter(s -> !s.name().equals(leader.member.name()))));
  }

  private Optional<Member> server(Fault fault) {
    return any(fault, pool.servers().stream());
  }

  /** One that works: to kill one that is still starting shows nothing. */
  private Optional<Member> agent(Fault fault) {
    return any(fault, pool.agents().stream().filter(agent -> agent.hasSaid("connected to pool")));
  }

  private static Optional<Member> any(Fault fault, Stream<Member> members) {
    List<Member> living = members.filter(m -> m.isAlive() && !m.isStopped()).toList();
    return living.isEmpty()
        ? Optional.empty()
        : Optional.of(living.get(fault.choice() % living.size()));
  }

  private static List<String> names(List<Member> members) {
    return members.stream().map(Member::name).toList();
  }

  private List<String> everybody() {
    List<String> all = new ArrayList<>(names(pool.servers()));
    all.addAll(names(pool.agents()));
    all.addAll(List.of(ChaosPool.DATABASE, ChaosPool.ZOOKEEPER));
    return all;
  }

  // ---------------------------------------------------------------- what happens

  private boolean killLeader(Fault fault, Leader leader) {
    tellGone(FailOvers.Way.KILLED, leader);
    leader.member.kill();
    return later(fault, "leader " + leader.member.life() + " killed", leader.member::start);
  }

  /** That their connections end does not reach those who wait to lead, as behind a firewall. */
  private boolean deafenStandbys(Fault fault) {
    if (pool.isInFolder() || pool.isDecidedByZooKeeper() || !pool.network().canBeCut()) {
      return false;
    }
    Optional<Leader> leader = leader();
    if (leader.isEmpty()) {
      return false;
    }
    try {
      for (Member server : pool.servers()) {
        if (!server.name().equals(leader.get().member.name())) {
          pool.network().cut(server.name(), List.of(ChaosPool.DATABASE));
          audit.endSessions(pool.network().address(server.name()));
        }
      }
    } catch (SQLException e) {
      diary.accept("the database is away"); // some are deaf, some are not
    }
    pool.network().heal();
    diary.accept("the database has forgotten the standbys");
    tellGone(FailOvers.Way.LEFT_TO_THE_DEAF, leader.get());
    leader.get().member.kill();
    return later(
        fault, "leader " + leader.get().member.life() + " killed", leader.get().member::start);
  }

  private boolean stopLeader(Fault fault, Leader leader) {
    tellGone(FailOvers.Way.HUNG, leader);
    leader.member.stop();
    return later(fault, "leader " + leader.member.life() + " stands still", leader.member::goOn);
  }

  private void tellGone(FailOvers.Way way, Leader leader) {
    boolean warm =
        pool.servers().stream()
            .filter(server -> !server.name().equals(leader.member.name()))
            .anyMatch(server -> server.isReady() && !server.isStopped());
    failOvers.leaderGone(way, pool.isDecidedByZooKeeper(), leader.epoch.epoch(), warm);
  }

  private boolean kill(Fault fault, Member member, boolean disturbs) {
    disturb(fault, disturbs);
    member.kill();
    return later(fault, member.life() + " killed", member::start);
  }

  private boolean stop(Fault fault, Member member, boolean disturbs) {
    disturb(fault, disturbs);
    member.stop();
    return later(fault, member.life() + " stands still", member::goOn);
  }

  private void disturb(Fault fault, boolean disturbs) {
    if (disturbs) {
      failOvers.disturbed(fault.lastsMillis() + SETTLE_MILLIS);
    }
  }

  /** Nothing of the machine is heard any more, not even that its connections end. */
  private boolean losePower(Fault fault, Leader leader) {
    if (!pool.network().canBeCut()) {
      return false;
    }
    tellGone(FailOvers.Way.WITHOUT_POWER, leader);
    pool.network().cut(leader.member.name(), everybody());
    leader.member.kill();
    return later(
        fault,
        "leader " + leader.member.life() + " without power",
        () -> {
          pool.network().heal();
          leader.member.start();
        });
  }

  /**
   * An agent stands still with what it got after the backup; the pool goes on from the backup, and
   * then the agent comes back.
   */
  private boolean restoreBackup(Fault fault) {
    Optional<Member> agent = agent(fault);
    if (!pool.isInFolder() || agent.isEmpty()) {
      return false;
    }
    load.backUp(pool::backUp);
    pause(fault.lastsMillis()); // work goes on that the backup does not know
    agent.get().stop();
    load.restore(pool::restore);
    diary.accept("restored a backup while %s stands still".formatted(agent.get().life()));
    return later(fault, agent.get().life() + " stands still", agent.get()::goOn);
  }

  private boolean loseDatabase(Fault fault, String what, Runnable action) {
    if (pool.isInFolder()) {
      return false;
    }
    disturb(fault, true);
    action.run();
    return later(
        fault,
        what,
        () -> {
          pool.startDatabase();
          failOvers.databaseBack(FailOvers.Way.DATABASE_BACK, pool.isDecidedByZooKeeper());
        });
  }

  private boolean fillDatabase(Fault fault) {
    Optional<SmallDisk> disk = pool.disk(ChaosPool.DATABASE);
    disk.ifPresent(
        full -> {
          disturb(fault, true);
          full.fill();
          later(
              fault,
              "disk of the database full",
              () -> {
                full.empty();
                pool.startDatabase();
                failOvers.databaseBack(FailOvers.Way.ROOM_AGAIN, pool.isDecidedByZooKeeper());
              });
        });
    return disk.isPresent();
  }

  private boolean fillDisk(Fault fault, Member member) {
    Optional<SmallDisk> disk = pool.disk(member.name());
    disk.ifPresent(
        full -> {
          full.fill();
          later(fault, "disk of " + member.life() + " full", full::empty);
        });
    return disk.isPresent();
  }

  private boolean cut(Fault fault, Optional<Member> member, List<String> others) {
    if (member.isEmpty() || !pool.network().canBeCut()) {
      return false;
    }
    disturb(fault, true);
    pool.network().cut(member.get().name(), others);
    return later(fault, member.get().life() + " cut off from " + others, pool.network()::heal);
  }

  private boolean losePackets(Fault fault, Optional<Member> member) {
    if (member.isEmpty() || !pool.network().canBeCut()) {
      return false;
    }
    disturb(fault, true);
    int percent = 5 + fault.choice() % 30;
    pool.network().lose(member.get().name(), percent);
    return later(
        fault,
        "%s loses %d %% of its packets".formatted(member.get().life(), percent),
        pool.network()::heal);
  }

  private boolean jumpClock(Fault fault) {
    List<String> names = List.copyOf(pool.clocks().keySet());
    if (names.isEmpty()) {
      return false;
    }
    String name = names.get(fault.choice() % names.size());
    int seconds = fault.choice() % (2 * LARGEST_JUMP_SECONDS) - LARGEST_JUMP_SECONDS;
    WrongClock clock = pool.clocks().get(name);
    if (clock == null) {
      return false;
    }
    clock.set(seconds);
    return later(fault, "clock of %s jumps by %d s".formatted(name, seconds), () -> clock.set(0));
  }

  /** Afterwards leadership is decided the other way. */
  private boolean restartEverything(Fault fault) {
    disturb(fault, true);
    diary.accept("everything killed for %d ms".formatted(fault.lastsMillis()));
    repairs.clear();
    pool.agents().forEach(Member::kill);
    pool.servers().forEach(Member::kill);
    pool.zookeeper().kill();
    pool.database().kill();
    Pause.millis(fault.lastsMillis());
    if (!pool.isInFolder()) {
      pool.decideBy(!pool.isDecidedByZooKeeper());
      load.note(AttemptLog.KEPT_ELSEWHERE); // ZooKeeper keeps what tasks share where there is one
    }
    pool.makeWhole();
    diary.accept(
        "everything started, leadership by "
            + (pool.isDecidedByZooKeeper() ? "ZooKeeper" : "the database"));
    return true;
  }
}
