package dev.imker.server.http;

import dev.imker.model.JobId;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Restricts callers to their own work: for a job or task of somebody else in the path, any route
 * answers as if it did not exist. This is enforced in one place for all routes.
 */
public record OwnWork(Reads reads) {
  private static final Pattern NUMBER = Pattern.compile("([1-9][0-9]{0,17})(?:\\..*)?");

  void check(Endpoint endpoint, Exchange exchange) {
    if (!endpoint.namesWork() || exchange.identity().onlyUser() == null) {
      return;
    }
    String text = exchange.param(endpoint.path().startsWith(Endpoint.JOB_PATH) ? "id" : "task");
    Matcher matcher = NUMBER.matcher(text);
    if (matcher.matches()) {
      JobId job = new JobId(Long.parseLong(matcher.group(1)));
      require(exchange, job);
    }
  }

  /** Complains as about an unknown job, if it is not the caller's. */
  public void require(Exchange exchange, JobId job) {
    boolean own =
        reads
            .job(job)
            .map(JobRecord::project)
            .filter(project -> exchange.identity().maySee(project.user()))
            .isPresent();
    if (!own) {
      throw unknown(job);
    }
  }

  public static ApiException unknown(JobId id) {
    return ApiException.notFound("There is no job " + id + "; 'imker ls' lists all.");
  }
}
