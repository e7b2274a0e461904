package dev.imker.server.drop;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.place.DropPlace;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the turns of one drop folder until it is closed. Trouble is waited out. */
final class DropThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DropThread.class);
  private static final long TROUBLE_MILLIS = 5_000;

  private final DropPlace place;
  private final DropKeeper keeper;
  private final Thread thread;
  private volatile String trouble = "";

  DropThread(DropPlace place, DropKeeper keeper) {
    this.place = place;
    this.keeper = keeper;
    this.thread = Thread.ofVirtual().name("imker-drop").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  String trouble() {
    return trouble;
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        place.awaitChange(turn());
      }
    } catch (InterruptedException e) {
      LOG.debug("{} is no longer watched", place.name());
    }
  }

  /** Returns how long to wait for the next one. */
  private long turn() throws InterruptedException {
    try {
      boolean soon = keeper.turn();
      trouble = keeper.trouble();
      return soon ? place.soonMillis() : place.scanMillis();
    } catch (IOException | ImkerException e) {
      String words = String.valueOf(e.getMessage());
      if (!words.equals(trouble)) {
        LOG.warn("The drop folder {} waits: {}", place.name(), words);
      }
      trouble = words;
      return TROUBLE_MILLIS;
    } catch (RuntimeException e) { // a mistake of ours must not end the folder for ever
      if (!e.toString().equals(trouble)) {
        LOG.warn("The drop folder {} waits", place.name(), e);
      }
      trouble = e.toString();
      return TROUBLE_MILLIS;
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
    place.close();
  }
}
