package dev.imker.server.internal.rest.runs;

import dev.imker.model.TaskState;
import dev.imker.model.account.AuditEntry;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.store.JobRecord;
import dev.imker.store.Journal;
import dev.imker.store.TaskFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Who did what with a job, and when it began and ended, the oldest first. */
public final class JobHistory {
  private static final int PAGE = 1_000;
  private static final int MAX_LOOKED = 50_000;
  private static final int FIRST_REFUSAL = 400;

  private static final Map<String, String> WORDS =
      Map.of(
          "cancel", "cancelled tasks",
          "block", "held tasks",
          "release", "released or retried tasks",
          "priority", "changed the priority");

  /** A job and what happened to it. */
  public record View(List<Event> events) {}

  /**
   * One event.
   *
   * @param who empty if it was the pool
   */
  public record Event(String at, String who, String what) {}

  private record Moment(long atMillis, String who, String what) {}

  private final JobRecord job;
  private final Pattern path;

  JobHistory(JobRecord job) {
    this.job = job;
    path = Pattern.compile("(\\w+) .*/jobs/" + job.id() + "(?:/([\\w.-]+))?(?:[ ?].*)?");
  }

  View view(Journal journal, long firstStartMillis) {
    List<Moment> all = new ArrayList<>();
    all.add(
        new Moment(
            job.submittedMillis(), job.project().user(), "submitted " + count(job.taskCount())));
    if (firstStartMillis > 0) {
      all.add(new Moment(firstStartMillis, "", "the first task started"));
    }
    addOrders(journal, all);
    if (job.isSettled()) {
      all.add(
          new Moment(
              job.settledMillis(), "", "ended: " + job.status().name().toLowerCase(Locale.ROOT)));
    }
    all.sort(Comparator.comparingLong(Moment::atMillis));
    return new View(
        all.stream().map(m -> new Event(Times.iso(m.atMillis), m.who, m.what)).toList());
  }

  private static String count(int tasks) {
    return tasks == 1 ? "one task" : tasks + " tasks";
  }

  /** Orders that name the job; those that mean it by a filter do not tell which jobs they met. */
  private void addOrders(Journal journal, List<Moment> all) {
    long before = 0;
    for (int looked = 0; looked < MAX_LOOKED; looked += PAGE) {
      List<Journal.Entry> page = journal.audit(null, job.submittedMillis(), before, PAGE);
      for (Journal.Entry line : page) {
        AuditEntry entry = line.entry();
        Matcher matcher = path.matcher(entry.action());
        if (entry.status() < FIRST_REFUSAL && matcher.matches()) {
          all.add(new Moment(entry.atMillis(), entry.user(), words(matcher)));
        }
      }
      if (page.size() < PAGE) {
        return;
      }
      before = page.getLast().id();
    }
  }

  private static String words(Matcher matcher) {
    String order = matcher.group(2);
    if (order == null) {
      return matcher.group(1).equals("PATCH") ? "changed its limits" : matcher.group(1);
    }
    return WORDS.getOrDefault(order, order);
  }

  /** Finds when the first attempt of a job started. */
  static final class FirstStart implements TaskFigures.OfAttempts {
    private long millis;

    @Override
    public void accept(
        int index, @Nullable TaskState state, String node, long startedMillis, long endedMillis) {
      if (startedMillis > 0 && (millis == 0 || startedMillis < millis)) {
        millis = startedMillis;
      }
    }

    long millis() {
      return millis;
    }
  }
}
