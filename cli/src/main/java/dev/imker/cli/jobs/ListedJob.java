package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.Texts;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** A line of a list: a job, or all those of one executor of a Java program. */
final class ListedJob {
  /** Together they are what the first of these says that one of them is. */
  private static final List<String> STATUSES =
      List.of("RUNNING", "QUEUED", "WAITING", "BLOCKED", "FAILED", "CANCELLED", "DONE");

  private static final int COMMAND_WIDTH = 50;

  private final NavigableSet<Long> ids = new TreeSet<>();
  private JsonNode first;
  private String status;
  private long done;
  private long tasks;
  private long failed;

  ListedJob(JsonNode job) {
    first = job;
    status = job.path("status").asText();
    add(job);
  }

  void add(JsonNode job) {
    long id = job.path("id").asLong();
    if (!ids.add(id)) {
      return;
    }
    if (id == ids.first()) {
      first = job;
    }
    String other = job.path("status").asText();
    status = STATUSES.indexOf(other) < STATUSES.indexOf(status) ? other : status;
    JsonNode counts = job.path("counts");
    done += counts.path("done").asLong();
    tasks += job.path("tasks").asLong();
    failed += counts.path("failed").asLong() + counts.path("autoBlocked").asLong();
  }

  /** As commands take it: 12, or 12..15,17. */
  String ids() {
    StringBuilder text = new StringBuilder();
    for (Long id = ids.first(); id != null; ) {
      long last = id;
      while (ids.contains(last + 1)) {
        last++;
      }
      text.append(text.isEmpty() ? "" : ",").append(id).append(last > id ? ".." + last : "");
      id = ids.higher(last);
    }
    return text.toString();
  }

  Object[] cells() {
    return new Object[] {
      ids(),
      first.path("name").asText(),
      status,
      done,
      tasks,
      failed,
      Texts.time(first.path("submitted")),
      Texts.shorten(Texts.command(first.path("command")), COMMAND_WIDTH)
    };
  }
}
