package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.JobWatch;
import java.util.ArrayList;
import java.util.List;

/** Several who hear of the same job, one after the other. */
final class Watchers implements JobWatch.Listener {
  private final List<JobWatch.Listener> all = new ArrayList<>();

  Watchers add(JobWatch.Listener listener) {
    all.add(listener);
    return this;
  }

  @Override
  public void changed(JsonNode job) {
    all.forEach(listener -> listener.changed(job));
  }

  @Override
  public void ended(int first, int last) {
    all.forEach(listener -> listener.ended(first, last));
  }

  @Override
  public void missed() {
    all.forEach(JobWatch.Listener::missed);
  }
}
