package dev.imker.server.internal.rest.jobs;

import dev.imker.model.job.JobSpec;
import dev.imker.server.http.Json;

/** Jobs as they come by REST, for tests of other packages. */
public final class JobBodies {
  private JobBodies() {}

  public static JobSpec read(byte[] body) {
    return JobJson.require(JobJson.read(Json.parse(body)));
  }
}
