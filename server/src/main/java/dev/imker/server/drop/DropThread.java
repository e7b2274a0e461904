package dev.imker.server.drop;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.place.DropPlace;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the turns of one drop folder until it is closed, and gives signs of life. Waits for
 * problems to pass; a place that cannot be opened yet is retried.
 */
final class DropThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DropThread.class);
  private static final long TROUBLE_MILLIS = 5_000;

  /** Where a place is got from. */
  @FunctionalInterface
  interface Opening {
    /**
     * @throws ImkerException saying why it cannot be used
     */
    DropPlace open();
  }

  private final Opening opening;
  private final Function<DropPlace, DropKeeper> keepers;
  private final Thread thread;
  private volatile String name;
  private volatile String trouble = "";

  /**
   * @param name of the place, as it was written
   */
  DropThread(String name, Opening opening, Function<DropPlace, DropKeeper> keepers) {
    this.name = name;
    this.opening = opening;
    this.keepers = keepers;
    this.thread = Thread.ofVirtual().name("imker-drop").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Names the place; as it was written until it could be opened. */
  String name() {
    return name;
  }

  String trouble() {
    return trouble;
  }

  private void run() {
    try (DropPlace opened = open()) {
      name = opened.name();
      DropKeeper keeper = keepers.apply(opened);
      Thread signs = Thread.ofVirtual().name("imker-drop-signs").start(() -> giveSigns(opened));
      try {
        while (!Thread.currentThread().isInterrupted()) {
          opened.awaitChange(turn(opened, keeper));
        }
      } finally {
        signs.interrupt();
        signs.join();
      }
    } catch (InterruptedException e) {
      LOG.debug("{} is no longer watched", name);
    }
  }

  private DropPlace open() throws InterruptedException {
    while (true) {
      try {
        DropPlace opened = opening.open();
        trouble = "";
        return opened;
      } catch (RuntimeException e) {
        met(e instanceof ImkerException ? String.valueOf(e.getMessage()) : e.toString(), null);
      }
      Thread.sleep(TROUBLE_MILLIS);
    }
  }

  /** Returns how long to wait for the next one. */
  private long turn(DropPlace opened, DropKeeper keeper) throws InterruptedException {
    try {
      boolean soon = keeper.turn();
      trouble = keeper.trouble();
      return soon ? opened.soonMillis() : opened.scanMillis();
    } catch (IOException | ImkerException e) {
      met(String.valueOf(e.getMessage()), null);
    } catch (RuntimeException | Error e) { // a mistake of ours must not end the folder for ever
      met(e.toString(), e);
    }
    return TROUBLE_MILLIS;
  }

  private void met(String words, @Nullable Throwable mistake) {
    if (!words.equals(trouble)) {
      LOG.warn("The drop folder {} waits: {}", name, words, mistake);
    }
    trouble = words;
  }

  private static void giveSigns(DropPlace place) {
    long millis = place.signMillis();
    try {
      while (millis > 0) {
        Thread.sleep(millis);
        try {
          place.giveSign();
        } catch (IOException | RuntimeException e) { // the turns tell what is wrong
          LOG.debug("No sign of life in {}: {}", place.name(), e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("No more signs of life in {}", place.name());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
