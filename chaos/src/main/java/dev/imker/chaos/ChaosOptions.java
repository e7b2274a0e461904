package dev.imker.chaos;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What kind of run is wanted. */
final class ChaosOptions {
  private static final double DEFAULT_MINUTES = 10;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the schedule and of the jobs (default: another one each time).")
  @Nullable Long seed;

  @Option(
      names = "--simulated",
      description =
          "No processes: whole pools in one thread with virtual time, one for each seed. Takes only"
              + " --seeds and --seed.")
  boolean simulated;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "So many simulated pools (default: 10,000, or with --seed that one), each with the next"
              + " seed.")
  @Nullable Long seeds;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How long bad things happen (default: 10, or until the kills are done).")
  @Nullable Double minutes;

  @Option(
      names = "--leader-kills",
      paramLabel = "N",
      description = "Go on until the leader was killed this many times.")
  int leaderKills;

  @Option(
      names = "--agent-kills",
      paramLabel = "N",
      description = "Go on until agents were killed this many times.")
  int agentKills;

  @Option(names = "--servers", paramLabel = "N", description = "Servers (${DEFAULT-VALUE}).")
  int servers = 3;

  @Option(names = "--agents", paramLabel = "N", description = "Agents (${DEFAULT-VALUE}).")
  int agents = 4;

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Tasks at a time of each agent (${DEFAULT-VALUE}).")
  int slots = 3;

  @Option(
      names = "--lease",
      paramLabel = "SECONDS",
      description =
          "Silence after which an agent's tasks go to others (${DEFAULT-VALUE}; 0: the usual, also of"
              + " ZooKeeper).")
  int leaseSeconds = 5;

  @Option(
      names = "--idle-tasks",
      paramLabel = "N",
      description = "Keep this many further tasks waiting, for every leader to take over.")
  int idleTasks;

  @Option(
      names = "--zookeeper",
      description =
          "Begin with leadership by ZooKeeper instead of the database; each restart of everything"
              + " changes it.")
  boolean zookeeper;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "FAULT",
      description = "Only these happen, with commas between them: ${COMPLETION-CANDIDATES}.")
  Set<FaultKind> only = EnumSet.noneOf(FaultKind.class);

  @Option(
      names = "--store",
      paramLabel = "NAME",
      description =
          "What the pool is kept in: postgresql, or sqlite (one server, without standbys)"
              + " (${DEFAULT-VALUE}).")
  Store store = Store.postgresql;

  /** What a pool is kept in, as it is written on the command line. */
  enum Store {
    postgresql,
    sqlite
  }

  @Option(
      names = "--real-disk",
      description = "All folders on the disk of --folder, so that writing waits for it.")
  boolean realDisk;

  @Option(
      names = "--steady",
      description =
          "Nothing bad happens: only load. Memory, open files and rate of every run are written to"
              + " FOLDER/footprint.csv every few seconds and drawn in footprint.svg.")
  boolean steady;

  @Option(
      names = "--calm",
      paramLabel = "SECONDS",
      description =
          "Time before each fault, and some work is done, so that one is over before the next"
              + " (${DEFAULT-VALUE}).")
  int calmSeconds;

  @Option(
      names = "--every-event",
      description =
          "Nothing but planned jobs that are rolled back, begin again or are rescued, each time"
              + " with a crash after another one of their events, of servers, agents or both.")
  boolean everyEvent;

  @Option(
      names = "--crashes",
      paramLabel = "N",
      description = "With --every-event: only so many of these crashes, chosen by the seed.")
  int crashes;

  @Option(
      names = "--no-namespaces",
      description = "All on one network, even where each machine could have its own.")
  boolean oneNetwork;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where everything is put (default: a temporary folder).")
  @Nullable Path folder;

  @Option(names = "--keep", description = "Keep the folder even if nothing went wrong.")
  boolean keep;

  private static final double LONG_MINUTES = 20;

  /** What may happen in this run: nothing that takes minutes in a short one, unless named. */
  Set<FaultKind> kinds() {
    if (!only.isEmpty()) {
      return only;
    }
    Set<FaultKind> all = EnumSet.allOf(FaultKind.class);
    all.remove(FaultKind.RESTORE_BACKUP);
    if (minutes == null || minutes < LONG_MINUTES) {
      all.removeIf(FaultKind::isLasting);
    }
    return all;
  }

  /** Whether the pool goes back to a backup, so that not all that was told is kept. */
  boolean forgets() {
    return kinds().contains(FaultKind.RESTORE_BACKUP);
  }

  boolean isInFolder() {
    return store == Store.sqlite;
  }

  int servers() {
    return isInFolder() ? 1 : servers;
  }

  double minutes() {
    return minutes == null ? DEFAULT_MINUTES : minutes;
  }

  /** Whether bad things are to go on. */
  boolean isOver(double minutesGone, int leadersKilled, int agentsKilled) {
    boolean killedEnough = leadersKilled >= leaderKills && agentsKilled >= agentKills;
    if (minutes != null) {
      return minutesGone >= minutes;
    }
    return leaderKills + agentKills > 0 ? killedEnough : minutesGone >= DEFAULT_MINUTES;
  }
}
