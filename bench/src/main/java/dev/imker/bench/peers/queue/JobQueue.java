package dev.imker.bench.peers.queue;

import java.nio.file.Path;

/**
 * A library under test, inside the process that also works its jobs off, as applications use it.
 */
interface JobQueue {
  /** Puts so many jobs into the database, each of which calls {@link Work#noop()}. */
  void enqueue(int count) throws Exception;

  /** Puts one job into the database that calls {@link Work#endless}. */
  void enqueueEndless(Path file) throws Exception;

  /** Asks the database for jobs that are not finished. */
  String unfinished();
}
