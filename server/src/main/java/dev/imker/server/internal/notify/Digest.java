package dev.imker.server.internal.notify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The summary of a settled job, however many tasks it has. */
record Digest(
    String pool,
    long job,
    String name,
    String user,
    String project,
    String status,
    int tasks,
    Map<String, Integer> counts,
    String submitted,
    String settled,
    List<Failure> failures,
    int moreFailures,
    String link) {
  /** A task that did not succeed. */
  record Failure(String task, String state, String reason) {}

  String subject() {
    return "[%s] job %d %s: %s, %d of %d done"
        .formatted(
            pool,
            job,
            name,
            status.toLowerCase(Locale.ROOT),
            counts.getOrDefault("done", 0),
            tasks);
  }

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add("Job %d (%s) of %s/%s is %s.".formatted(job, name, user, project, status));
    lines.add("");
    counts.forEach((state, count) -> lines.add("  %-12s %d".formatted(state, count)));
    lines.add("");
    lines.add("Submitted " + submitted + ", finished " + settled + ".");
    if (!failures.isEmpty()) {
      lines.add("");
      lines.add("What failed:");
      failures.forEach(f -> lines.add("  %s %s: %s".formatted(f.task, f.state, f.reason)));
      if (moreFailures > 0) {
        lines.add("  and %d more".formatted(moreFailures));
      }
    }
    lines.add("");
    lines.add("Results: imker results " + job);
    lines.add("Page: " + link);
    return String.join("\n", lines) + "\n";
  }

  Map<String, Object> json(long delivery) {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("id", job);
    about.put("name", name);
    about.put("user", user);
    about.put("project", project);
    about.put("status", status);
    about.put("tasks", tasks);
    about.put("counts", counts);
    about.put("submitted", submitted);
    about.put("settled", settled);
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("version", 1);
    body.put("event", "job.settled");
    body.put("delivery", delivery);
    body.put("pool", pool);
    body.put("job", about);
    body.put("failures", failures);
    body.put("moreFailures", moreFailures);
    body.put("link", link);
    return body;
  }
}
