package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.TaskOutput;
import dev.imker.cli.terminal.WholeLines;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Prints what running tasks write, line by line, each with the id of its task before it. */
final class LiveTails {
  /** More than anybody can read at a time; the others are printed when they have ended. */
  private static final int MAX_TASKS = 32;

  private final ApiClient api;
  private final Set<String> followed = new HashSet<>();
  private final List<Thread> threads = new ArrayList<>();

  LiveTails(ApiClient api) {
    this.api = api;
  }

  void update(JsonNode job) {
    threads.removeIf(thread -> !thread.isAlive());
    int free = MAX_TASKS - threads.size() / 2;
    if (free <= 0 || job.at("/counts/running").asLong() == 0) {
      return;
    }
    String path = "/api/v1/jobs/" + job.path("id").asText() + "/tasks?state=RUNNING&limit=";
    for (JsonNode task : api.get(path + MAX_TASKS).path("tasks")) {
      if (free > 0 && followed.add(task.path("id").asText())) {
        free--;
        start(task.path("id").asText(), "stdout", System.out);
        start(task.path("id").asText(), "stderr", System.err);
      }
    }
  }

  /** A task that ended before it was seen running is printed now. */
  void ended(JsonNode task) {
    if (followed.add(task.path("id").asText())) {
      start(task.path("id").asText(), "stdout", System.out);
      start(task.path("id").asText(), "stderr", System.err);
    }
  }

  void join() {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ImkerException("interrupted", e);
      }
    }
  }

  private void start(String task, String stream, PrintStream target) {
    threads.add(Thread.ofVirtual().start(() -> pump(task, stream, target)));
  }

  private void pump(String task, String stream, PrintStream target) {
    try (WholeLines lines = new WholeLines(target, "[" + task + "] ")) {
      new TaskOutput(api, task, stream, true).copyTo(lines);
    } catch (IOException | ImkerException e) {
      System.err.println("output of " + task + " was cut off: " + e.getMessage());
    }
  }
}
