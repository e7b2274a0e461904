package dev.imker.server.internal.rest.request;

import dev.imker.model.validation.JobNames;
import dev.imker.model.validation.WorkPaths;
import dev.imker.server.http.ApiException;

/** Names and paths in requests that are not jobs. */
public final class Checks {
  private Checks() {}

  public static String name(String field, String name) {
    if (!JobNames.isValid(name)) {
      throw ApiException.invalid(
          field, "%s=%s: a %s has %s".formatted(field, name, field, JobNames.RULE));
    }
    return name;
  }

  public static String path(String field, String path) {
    String problem = WorkPaths.problem(path);
    if (problem != null) {
      throw ApiException.invalid(field, "%s=%s: %s.".formatted(field, path, problem));
    }
    return path;
  }
}
