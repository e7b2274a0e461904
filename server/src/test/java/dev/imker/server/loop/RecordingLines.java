package dev.imker.server.loop;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.server.live.LiveJob;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what was sent to agents. */
public final class RecordingLines implements AgentLines {
  final List<Lease> assigned = new CopyOnWriteArrayList<>();
  final List<Lease> confirmed = new CopyOnWriteArrayList<>();
  volatile Runnable onAssign = () -> {};
  final List<String> hungUp = new CopyOnWriteArrayList<>();

  @Override
  public void assign(
      AgentId agent, Lease lease, int attempt, Granted granted, LiveJob job, boolean undo) {
    assigned.add(lease);
    onAssign.run();
  }

  @Override
  public void describe(AgentId agent, LiveJob job, int stage) {}

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {}

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    if (accepted) {
      confirmed.add(lease);
    }
  }

  @Override
  public void pause(AgentId agent, String why) {}

  @Override
  public void hangUpAll(String reason) {
    hungUp.add(reason);
  }
}
