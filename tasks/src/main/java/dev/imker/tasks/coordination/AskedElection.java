package dev.imker.tasks.coordination;

import java.util.Map;

record AskedElection(AskedThing election) implements Election {
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
