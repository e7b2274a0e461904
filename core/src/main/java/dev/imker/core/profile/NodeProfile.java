package dev.imker.core.profile;

import dev.imker.model.NodeId;

/**
 * What is known about a node's behaviour. Fed through {@link PoolProfile}; times are minutes where
 * a strategy reads them, as the formulas of the strategies are written in minutes.
 */
public final class NodeProfile {
  private static final int CONFIRMED_TO_BE_TRUSTED = 10;
  private static final double MIN_CHECK_RATE = 0.01;

  private final NodeId node;
  private final int index;
  private double benchmarkMillis;
  private double reputation;
  private final RecentAverage succeeded = new RecentAverage();
  private final RecentAverage failed = new RecentAverage();
  private final RecentAverage uptimes = new RecentAverage();
  private UptimeClock clock = UptimeClock.WALL;
  private boolean up;
  private boolean screenSaver;
  private long upSinceMillis;
  private long downSinceMillis;
  private int working;
  private long busyMillis;
  private long busySinceMillis;
  private long incarnation;
  private long awaitedSinceMillis;
  private int successes;
  private int failures;
  private int faults;
  private int confirmed;

  NodeProfile(NodeId node, int index) {
    this.node = node;
    this.index = index;
  }

  public NodeId node() {
    return node;
  }

  /** Position among all nodes of the pool; dense, in the order of their first appearance. */
  public int index() {
    return index;
  }

  public boolean isUp() {
    return up;
  }

  /** Whether the node works only while its screen saver is on. */
  public boolean isScreenSaver() {
    return screenSaver;
  }

  /** Raw benchmark (rB): milliseconds for the standard work; 0 while unknown. */
  public double benchmarkMillis() {
    return benchmarkMillis;
  }

  /** Class of the benchmark (B): 1 for the fastest to −1 for the slowest. */
  public double benchmarkClass() {
    return benchmarkClass(benchmarkMillis);
  }

  static double benchmarkClass(double millis) {
    if (millis < 5000) {
      return 1;
    }
    if (millis < 10_000) {
      return 0.5;
    }
    if (millis < 15_000) {
      return 0;
    }
    return millis < 20_000 ? -0.5 : -1;
  }

  /** R: average of +1 per success and −1 per abort, starting from the benchmark class. */
  public double reputation() {
    return reputation;
  }

  /** avS: minutes of attempts that succeeded; 0 while there was none. */
  public double succeededMinutes() {
    return succeeded.value();
  }

  /** avF: minutes worked on attempts that failed; 0 while there was none. */
  public double failedMinutes() {
    return failed.value();
  }

  /** avU over completed up-times only; 0 if the node never went down. */
  public double completedUptimeMinutes() {
    return uptimes.value();
  }

  /** avU with the current up-time as the newest value. */
  public double uptimeMinutes(long nowMillis) {
    return uptimes.valueWith(currentUptimeMinutes(nowMillis));
  }

  /** acU: minutes since the node came up, by the pool's {@link UptimeClock}. */
  public double currentUptimeMinutes(long nowMillis) {
    return PoolTime.minutes(currentUptimeMillis(nowMillis));
  }

  /** Completed up-times in minutes, oldest first; at most {@link RecentAverage#WINDOW}. */
  public double[] recentUptimesMinutes() {
    return uptimes.values();
  }

  /** When the present up-time began; 0 while the node is down. */
  public long upSinceMillis() {
    return up ? upSinceMillis : 0;
  }

  /** Whether it was up before a restart of the server and has not come back yet. */
  public boolean isAwaited() {
    return awaitedSinceMillis != 0;
  }

  /** How many attempts it holds now. */
  public int working() {
    return working;
  }

  /** Attempts that succeeded on this node. */
  public int successes() {
    return successes;
  }

  /** Attempts that failed or were lost on this node. */
  public int failures() {
    return failures;
  }

  /**
   * Attempts that came to nothing by the fault of this node: lost, or failed here while the same
   * task succeeded on another node.
   */
  public int faults() {
    return faults;
  }

  /** How many of its results in a row others came to as well; negative for a suspect. */
  public int confirmed() {
    return confirmed;
  }

  /** Whether it was outvoted and has not been confirmed often enough since to be trusted alone. */
  public boolean isSuspect() {
    return confirmed < 0;
  }

  /** The share of its results, 0 to 1, that another node should come to as well. */
  public double checkRate() {
    return confirmed <= CONFIRMED_TO_BE_TRUSTED
        ? 1
        : Math.max(MIN_CHECK_RATE, (double) CONFIRMED_TO_BE_TRUSTED / confirmed);
  }

  /** Another node returned the same result. */
  public void onConfirmed() {
    confirmed++;
  }

  /** Others returned a different result. */
  public void onOutvoted() {
    confirmed = -CONFIRMED_TO_BE_TRUSTED;
  }

  /**
   * The share of attempts on this node, 0 to 1, that it brought to an end; how a task's own code
   * ended does not matter. 1 while there was none.
   */
  public double reliability() {
    int attempts = successes + failures;
    return attempts == 0 ? 1 : Math.clamp(1 - (double) faults / attempts, 0.0, 1.0);
  }

  private long currentUptimeMillis(long nowMillis) {
    if (!up) {
      return 0;
    }
    if (clock == UptimeClock.WALL) {
      return nowMillis - upSinceMillis;
    }
    return busyMillis + (working > 0 ? nowMillis - busySinceMillis : 0);
  }

  void clock(UptimeClock value) {
    clock = value;
  }

  void benchmark(double millis) {
    benchmarkMillis = millis;
  }

  void onUp(long nowMillis, double benchmark, boolean asScreenSaver, long asIncarnation) {
    if (successes + failures == 0) {
      reputation = benchmarkClass(benchmark);
    }
    benchmarkMillis = benchmark;
    screenSaver = asScreenSaver;
    up = true;
    boolean goesOn = awaitedSinceMillis != 0 && asIncarnation != 0 && asIncarnation == incarnation;
    upSinceMillis = goesOn ? awaitedSinceMillis : nowMillis;
    awaitedSinceMillis = 0;
    incarnation = asIncarnation;
    busyMillis = 0;
    busySinceMillis = nowMillis;
  }

  /** Ends the up-time and returns its length in minutes. */
  double onDown(long nowMillis) {
    double minutes = currentUptimeMinutes(nowMillis);
    uptimes.add(minutes);
    up = false;
    downSinceMillis = nowMillis;
    return minutes;
  }

  /** Whether it went down since then, or was up before a restart of the server. */
  boolean mayReturn(long sinceMillis) {
    return !up && (isAwaited() || (downSinceMillis > 0 && downSinceMillis >= sinceMillis));
  }

  /** The node did not come back. */
  void giveUp() {
    awaitedSinceMillis = 0;
  }

  /** Ends an up-time that tells nothing of the node's own behaviour, such as an update. */
  void onLeft() {
    up = false;
  }

  void onAssigned(long nowMillis) {
    if (working++ == 0) {
      busySinceMillis = nowMillis;
    }
  }

  void onReleased(long nowMillis) {
    if (--working == 0) {
      busyMillis += nowMillis - busySinceMillis;
    }
  }

  void onSucceeded(double minutes) {
    successes++;
    succeeded.add(minutes);
    judge(1);
  }

  /** An attempt was lost. */
  void onFailed(double minutes) {
    failures++;
    onFault(minutes);
  }

  /** An attempt failed, of which nobody knows yet whose fault it is. */
  void onTaskFailed() {
    failures++;
  }

  /** One of the attempts that failed did so by the fault of the node. */
  void onFault(double minutes) {
    faults++;
    failed.add(minutes);
    judge(-1);
  }

  private void judge(double value) {
    reputation = RecentAverage.WEIGHT * value + (1 - RecentAverage.WEIGHT) * reputation;
  }

  NodeSnapshot snapshot() {
    return new NodeSnapshot(
        node,
        benchmarkMillis,
        reputation,
        succeeded.values(),
        failed.values(),
        uptimes.values(),
        successes,
        failures,
        faults,
        confirmed,
        up ? upSinceMillis : awaitedSinceMillis,
        incarnation);
  }

  void restore(NodeSnapshot snapshot) {
    benchmarkMillis = snapshot.benchmarkMillis();
    reputation = snapshot.reputation();
    succeeded.restore(snapshot.succeededMinutes());
    failed.restore(snapshot.failedMinutes());
    uptimes.restore(snapshot.uptimesMinutes());
    successes = snapshot.successes();
    failures = snapshot.failures();
    faults = snapshot.faults();
    confirmed = snapshot.confirmed();
    awaitedSinceMillis = snapshot.upSinceMillis();
    incarnation = snapshot.incarnation();
  }
}
