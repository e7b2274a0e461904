package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.change.Change;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** Keeps what the scheduler says until a test asks for it; what nobody asked for is a failure. */
public final class RecordingOutbox implements Outbox {
  sealed interface Message permits Assigned, Stopped, Confirmed {
    AgentId agent();

    Lease lease();
  }

  public record Assigned(AgentId agent, Lease lease, int attempt, Granted granted)
      implements Message {}

  record Stopped(AgentId agent, Lease lease, String reason) implements Message {}

  record Confirmed(AgentId agent, Lease lease, boolean accepted) implements Message {}

  private final List<Message> messages = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<JobId> touched = new ArrayList<>();
  private final List<String> pauses = new ArrayList<>();
  private final List<Lease> recalled = new ArrayList<>();

  @Override
  public void assign(AgentId agent, Lease lease, int attempt, Granted granted) {
    messages.add(new Assigned(agent, lease, attempt, granted));
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    messages.add(new Stopped(agent, lease, reason));
  }

  @Override
  public void recall(AgentId agent, Lease lease) {
    recalled.add(lease);
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    messages.add(new Confirmed(agent, lease, accepted));
  }

  @Override
  public void pause(AgentId agent, String why) {
    pauses.add(agent.value() + ": " + why);
  }

  @Override
  public void change(Change change) {
    changes.add(change);
  }

  @Override
  public void jobTouched(JobId job) {
    touched.add(job);
  }

  /** Which agents were told to freeze their tasks, and why. */
  public List<String> takePauses() {
    List<String> all = List.copyOf(pauses);
    pauses.clear();
    return all;
  }

  /** The leases that agents were asked to give back. */
  public List<Lease> takeRecalled() {
    List<Lease> all = List.copyOf(recalled);
    recalled.clear();
    return all;
  }

  /** All messages since the last call; they count as asked for. */
  public List<Message> takeAll() {
    List<Message> all = List.copyOf(messages);
    messages.clear();
    return all;
  }

  public List<Assigned> takeAssigned() {
    return take(Assigned.class, message -> true);
  }

  /** The one assignment to that agent. */
  Assigned takeAssignedTo(String agent) {
    List<Assigned> assigned = take(Assigned.class, m -> m.agent().value().equals(agent));
    assertThat(assigned).as("assignments to %s", agent).hasSize(1);
    return assigned.getFirst();
  }

  void assertConfirmed(Lease lease, boolean accepted) {
    List<Confirmed> confirmed = take(Confirmed.class, m -> m.lease().equals(lease));
    assertThat(confirmed).extracting(Confirmed::accepted).containsExactly(accepted);
  }

  void assertStopped(Lease lease, String reason) {
    List<Stopped> stopped = take(Stopped.class, m -> m.lease().equals(lease));
    assertThat(stopped).extracting(Stopped::reason).containsExactly(reason);
  }

  void assertNothingLeft() {
    assertThat(messages).as("messages that the test did not ask for").isEmpty();
  }

  public List<Change> takeChanges() {
    List<Change> all = List.copyOf(changes);
    changes.clear();
    return all;
  }

  <C extends Change> List<C> takeChanges(Class<C> kind) {
    return takeChanges().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  List<JobId> takeTouched() {
    List<JobId> all = List.copyOf(touched);
    touched.clear();
    return all;
  }

  private <M extends Message> List<M> take(Class<M> kind, Predicate<M> wanted) {
    List<M> taken = new ArrayList<>();
    for (Iterator<Message> i = messages.iterator(); i.hasNext(); ) {
      Message message = i.next();
      if (kind.isInstance(message) && wanted.test(kind.cast(message))) {
        taken.add(kind.cast(message));
        i.remove();
      }
    }
    return taken;
  }
}
