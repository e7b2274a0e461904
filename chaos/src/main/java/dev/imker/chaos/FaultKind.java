package dev.imker.chaos;

/** What can happen to a pool. The weight says how often, next to the others. */
public enum FaultKind {
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
  RESTART_EVERYTHING(1);

  private final int weight;

  FaultKind(int weight) {
    this.weight = weight;
  }

  int weight() {
    return weight;
  }
}
