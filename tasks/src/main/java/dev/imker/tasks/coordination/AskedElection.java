package dev.imker.tasks.coordination;

import java.util.Map;

final class AskedElection implements Election {
  private final AskedThing election;

  AskedElection(AskedThing election) {
    this.election = election;
  }

  @Override
  public boolean stand() throws InterruptedException {
    return leads(election.ask("stand"));
  }

  @Override
  public void lead() throws InterruptedException {
    var _ = election.await("lead", Map.of(), AskedThing.FOREVER, AskedElection::leads);
  }

  private static boolean leads(Map<String, Object> answer) {
    return AskedThing.flag(answer, "you");
  }

  @Override
  public String leader() throws InterruptedException {
    return String.valueOf(election.ask("stand").getOrDefault("leader", ""));
  }

  @Override
  public void resign() throws InterruptedException {
    election.ask("resign");
  }
}
