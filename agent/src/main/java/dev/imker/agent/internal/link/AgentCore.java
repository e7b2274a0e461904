package dev.imker.agent.internal.link;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.AgentState;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.internal.neighbour.Courtesy;
import dev.imker.agent.internal.neighbour.MachineWatch;
import dev.imker.agent.internal.platform.PlatformProbe;
import dev.imker.agent.internal.process.PosixSpawnExecutor;
import dev.imker.agent.internal.run.TaskRunner;
import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.NodeId;
import dev.imker.model.attest.Ed25519;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An agent from its start to its end. */
public final class AgentCore implements RunningAgent {
  private static final Logger LOG = LoggerFactory.getLogger(AgentCore.class);
  private static final long FAREWELL_MILLIS = 3_000;
  private static final long IDLE_LOOK_MILLIS = 200;

  private final AgentParts parts;
  private final ServerLink link;
  private final TaskRunner runner;
  private final Caretaker caretaker;
  private final String name;
  private final Consumer<AgentState> listener;
  private final CompletableFuture<AgentState> ended = new CompletableFuture<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean leaving = new AtomicBoolean();
  private volatile AgentState state;

  /** Sets everything up and begins to connect; {@code listener} must not block. */
  public AgentCore(AgentSettings settings, Vertx vertx, Consumer<AgentState> listener) {
    this.listener = listener;
    this.state = new AgentState.Connecting(settings.join().urls().getFirst());
    try {
      this.parts = new AgentParts(settings);
      parts.openHome(vertx);
    } catch (IOException e) {
      throw new ImkerException(
          "The agent cannot use its folder " + settings.dataFolder() + ": " + e.getMessage(), e);
    }
    this.name = settings.name().isEmpty() ? PlatformProbe.hostName() : settings.name();
    Renewal renewal = new Renewal(parts, this::leaveTo);
    Courtesy courtesy = new Courtesy(parts.policy.neighbour());
    this.link =
        new ServerLink(parts, name, vertx, this::changed, renewal::consider, courtesy::pauseByPool);
    this.runner = link.runner();
    this.caretaker = caretaker(courtesy);
    if (PosixSpawnExecutor.isSupported() && !PosixSpawnExecutor.shared().closeToOthers()) {
      LOG.warn("Other programs of this user can inspect the agent.");
    }
    warnings().forEach(LOG::warn);
    Thread.ofPlatform().daemon().name("imker-agent").start(runner);
    caretaker.begin();
    link.connect();
    link.self().begin();
  }

  /** Takes no further work, waits for what runs, and leaves to another version. */
  private void leaveTo(Path jar, String build) {
    leaveAs(new AgentState.Superseded(jar, build));
  }

  private void leaveAs(AgentState last) {
    link.drain(true);
    try {
      while (heldLeases() > 0 && !closed.get()) {
        TimeUnit.MILLISECONDS.sleep(IDLE_LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    changed(last);
    shutDown(true);
  }

  private Caretaker caretaker(Courtesy courtesy) {
    try {
      return new Caretaker(
          parts.folder.path(),
          new House(),
          new MachineWatch(parts.policy, parts.programs),
          courtesy,
          parts.trouble,
          link::paused);
    } catch (IOException e) {
      throw new ImkerException(
          "The agent cannot use its folder " + parts.folder.path() + ": " + e.getMessage(), e);
    }
  }

  /** What the caretaker may do here. */
  private final class House implements Caretaker.House {
    @Override
    public void pause(String why) {
      runner.note(() -> runner.pause(why));
    }

    @Override
    public void giveBackYoungest(String why) {
      runner.note(() -> runner.giveBackYoungest(why));
    }

    @Override
    public void giveBackFrozen(String why) {
      runner.note(() -> runner.giveBackFrozen(why));
    }

    @Override
    public void shrink(String why) {
      parts.offer.shrink(parts.policy.neighbour().shrinkToCores(), why);
      runner.note(() -> runner.shrink(why));
      link.tellPlatform();
    }

    @Override
    public void drain(boolean on) {
      link.drain(on);
    }

    @Override
    public void lookAtOffer() {
      if (runner.isSpent() && leaving.compareAndSet(false, true)) {
        LOG.info("Reached the maximum number of tasks; exiting");
        Thread.ofVirtual().name("imker-spent").start(() -> leaveAs(new AgentState.Stopped()));
      }
      if (parts.offer.refresh()) {
        runner.note(runner::startReady);
        link.tellPlatform();
      }
    }

    @Override
    public Map<String, String> status() {
      Map<String, String> status = new LinkedHashMap<>();
      status.put("name", name);
      status.put("id", id().value());
      status.put("node-key", Ed25519.fingerprint(parts.folder.nodeKey().getPublic().getEncoded()));
      status.put("state", stateInWords());
      status.put("pause", caretaker.pause());
      status.put("draining", Boolean.toString(link.isDraining()));
      status.put("running", Integer.toString(runningTasks()));
      status.put("held", Integer.toString(heldLeases()));
      status.put("slots", Integer.toString(parts.offer.slots()));
      status.put("offers", parts.offer.inWords());
      status.put("sandbox", parts.confinement.inWords());
      status.put("processes", parts.processes.groupsInWords());
      return status;
    }
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (!parts.confinement.isSandbox()) {
      warnings.add(
          "Tasks run without a sandbox ("
              + parts.confinement.why()
              + "): every job can read and change everything that "
              + (parts.confinement.hasUsers() ? "any user of this machine can" : "this user can")
              + ". In a pool with several accounts it runs only tasks of admins, unless an"
              + " admin allows more: imker nodes allow-unsandboxed "
              + name);
    }
    if (parts.offer.cores() > PlatformProbe.cores()) {
      warnings.add(
          "This machine has "
              + PlatformProbe.cores()
              + " cores and offers "
              + parts.offer.cores()
              + ": tasks share them and are not pinned to their own cores.");
    }
    return warnings;
  }

  private String stateInWords() {
    return switch (state) {
      case AgentState.Connecting connecting -> "connecting to " + connecting.address();
      case AgentState.Connected connected -> "connected to pool " + connected.pool();
      case AgentState.Disconnected lost -> "server unreachable: " + lost.reason();
      case AgentState.Refused refused -> "refused: " + refused.reason();
      case AgentState.Stopped _ -> "stopped";
      case AgentState.Superseded _ -> "switching to another version";
    };
  }

  /** On any thread; what is final stays. */
  private void changed(AgentState next) {
    synchronized (ended) {
      if (state.isFinal()) {
        return;
      }
      state = next;
    }
    if (next instanceof AgentState.Refused refused) {
      LOG.warn("The server refused this agent: {}", refused.reason());
      Thread.ofVirtual().name("imker-refused").start(() -> shutDown(false));
    }
    listener.accept(next);
  }

  @Override
  public AgentId id() {
    return parts.folder.id();
  }

  @Override
  public NodeId node() {
    return parts.node;
  }

  @Override
  public AgentState state() {
    return state;
  }

  @Override
  public CompletableFuture<AgentState> ended() {
    return ended.copy();
  }

  @Override
  public int runningTasks() {
    return runner.runningCount();
  }

  @Override
  public int heldLeases() {
    return parts.holdings.size();
  }

  @Override
  public void drain(boolean on) {
    link.drain(on);
  }

  @Override
  public void close() {
    shutDown(true);
    try {
      ended.get(2 * FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The agent did not stop in time", e);
    }
  }

  private void shutDown(boolean sayFarewell) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      caretaker.end(FAREWELL_MILLIS);
      runner.note(() -> runner.closeDown("The agent was closed."));
      link.leases().giveBackWaiting();
      if (sayFarewell) {
        link.drain(true);
      }
      awaitQuiet(sayFarewell);
      link.keepReports();
      link.close();
      runner.end();
      link.self().end(FAREWELL_MILLIS);
      parts.close();
    } catch (IOException e) {
      LOG.warn("The agent's folder could not be released", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      changed(new AgentState.Stopped());
      ended.complete(state);
    }
  }

  /** Waits until nothing runs any more and, with a connection, until the server knows of it. */
  private void awaitQuiet(boolean confirmed) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAREWELL_MILLIS);
    while (System.nanoTime() - deadlineNanos < 0) {
      CompletableFuture<Boolean> busy = new CompletableFuture<>();
      runner.note(() -> busy.complete(runner.hasUnfinished()));
      boolean waits = confirmed && link.isConnected() && !parts.holdings.isEmpty();
      try {
        if (!busy.get(FAREWELL_MILLIS, TimeUnit.MILLISECONDS) && !waits) {
          return;
        }
      } catch (ExecutionException | TimeoutException e) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}
