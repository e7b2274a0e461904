package dev.imker.agent.internal.link;

import dev.imker.agent.AgentControl.Order;
import dev.imker.agent.internal.lease.Trouble;
import dev.imker.agent.internal.neighbour.Courtesy;
import dev.imker.agent.internal.neighbour.MachineWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the machine and the owner's orders twice a second, and freezes tasks, gives them back or
 * resumes them. Manual orders of the owner outlive the agent.
 */
final class Caretaker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Caretaker.class);
  private static final long INTERVAL_MILLIS = 400;

  interface House {
    /** Freezes all tasks for a reason, or resumes them if it is empty. */
    void pause(String why);

    void giveBackYoungest(String why);

    /** Gives back frozen tasks. */
    void giveBackFrozen(String why);

    /** Leaves tasks a part of the cores for a reason; all without one. */
    void shrink(String why);

    void drain(boolean on);

    /** Follows the owner if other amounts are to be offered. */
    void lookAtOffer();

    Map<String, String> status();
  }

  private final House house;
  private final MachineWatch watch;
  private final Courtesy courtesy;
  private final Trouble trouble;
  private final ControlEndpoint desk;
  private final Path pausedByHand;
  private final Consumer<String> onPause;
  private volatile String pause = "";
  private String shrink = "";
  private @Nullable Thread thread;

  /**
   * @param onPause told of every change: why tasks are frozen now, empty when they go on
   */
  Caretaker(
      Path agentFolder,
      House house,
      MachineWatch watch,
      Courtesy courtesy,
      Trouble trouble,
      Consumer<String> onPause)
      throws IOException {
    this.house = house;
    this.watch = watch;
    this.courtesy = courtesy;
    this.trouble = trouble;
    this.onPause = onPause;
    this.desk = new ControlEndpoint(agentFolder, this::obey);
    this.pausedByHand = agentFolder.resolve("paused");
    courtesy.pauseByHand(Files.exists(pausedByHand));
  }

  void begin() {
    thread = Thread.ofPlatform().daemon().name("imker-caretaker").start(this);
  }

  void end(long patienceMillis) throws InterruptedException {
    if (thread != null) {
      thread.interrupt();
      thread.join(patienceMillis);
    }
  }

  /** Why tasks are frozen; empty while they run. */
  String pause() {
    return pause;
  }

  @Override
  public void run() {
    try {
      while (true) {
        try {
          desk.work();
          look();
          house.lookAtOffer();
        } catch (RuntimeException e) {
          LOG.warn("Could not check whether the owner is using this machine; trying again", e);
        }
        Thread.sleep(INTERVAL_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("The caretaker stops");
    }
  }

  private synchronized void look() {
    long nowMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    Courtesy.Decision decision = courtesy.decide(nowMillis, watch.look(trouble.current()));
    if (!decision.pause().equals(pause)) {
      pause = decision.pause();
      LOG.info(pause.isEmpty() ? "Tasks are resumed" : "Tasks are paused: {}", pause);
      house.pause(pause);
      onPause.accept(pause);
    }
    if (!decision.shrink().equals(shrink)) {
      shrink = decision.shrink();
      LOG.info(
          shrink.isEmpty() ? "Tasks can use all cores again" : "Tasks get fewer cores: {}", shrink);
      house.shrink(shrink);
    }
    if (decision.giveBackYoungest()) {
      house.giveBackYoungest("The node is short of memory.");
    }
    if (decision.giveBackFrozen()) {
      String why = pause.isEmpty() ? shrink : pause;
      house.giveBackFrozen("The node has been paused for too long: " + why + ".");
    }
  }

  private Map<String, String> obey(Order order) {
    try {
      switch (order) {
        case PAUSE -> {
          Files.writeString(pausedByHand, "by 'imker agent pause'\n");
          courtesy.pauseByHand(true);
        }
        case RESUME -> {
          Files.deleteIfExists(pausedByHand);
          courtesy.pauseByHand(false);
          house.drain(false);
        }
        case DRAIN -> house.drain(true);
        case STATUS -> {}
      }
    } catch (IOException e) {
      LOG.warn("Could not save the order {} for the next start", order, e);
    }
    look();
    return house.status();
  }
}
