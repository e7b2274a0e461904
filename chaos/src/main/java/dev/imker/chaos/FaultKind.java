package dev.imker.chaos;

/** What can happen to a pool. The weight says how often, next to the others. */
enum FaultKind {
  KILL_LEADER(16),
  KILL_AGENT(40),
  KILL_STANDBY(3),
  STOP_LEADER(2),
  STOP_STANDBY(1),
  STOP_AGENT(5),
  KILL_DATABASE(2),
  RESTART_DATABASE(1),
  KILL_ZOOKEEPER(1),
  CUT_LEADER_FROM_DATABASE(1),
  CUT_LEADER_FROM_AGENTS(1),
  CUT_SERVER_OFF(1),
  CUT_AGENT_OFF(3),
  LOSE_PACKETS_OF_SERVER(2),
  LOSE_PACKETS_OF_AGENT(3),
  JUMP_CLOCK(3),
  FILL_DISK_OF_AGENT(2),
  FILL_DISK_OF_SERVER(1),
  FILL_DISK_OF_DATABASE(1),
  RESTART_EVERYTHING(1),
  /**
   * The database has forgotten the connections of all standbys, who are not told; then the leader
   * is killed.
   */
  DEAFEN_STANDBYS(1),

  /** The leader's machine is gone for minutes, and nobody is told: no connection is ended. */
  LOSE_POWER_OF_LEADER(1, true),
  /** The leader stands still for minutes, with its connections open. */
  STOP_LEADER_FOR_MINUTES(1, true),
  /** The database is away for longer than anybody has patience. */
  LOSE_DATABASE_FOR_MINUTES(1, true),
  /** Agents stand still for minutes, and come back with what they held. */
  STOP_AGENT_FOR_MINUTES(1, true),
  /**
   * A pool in a folder is brought back from a backup, while an agent holds leases from after it.
   * Only where it is asked for: what was acknowledged after the backup is gone.
   */
  RESTORE_BACKUP(1, true);

  private final int weight;
  private final boolean lasting;

  FaultKind(int weight) {
    this(weight, false);
  }

  FaultKind(int weight, boolean lasting) {
    this.weight = weight;
    this.lasting = lasting;
  }

  /** Whether it takes minutes, so that short runs leave it out. */
  boolean isLasting() {
    return lasting;
  }

  int weight() {
    return weight;
  }
}
