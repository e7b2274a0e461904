package dev.imker.server.live.shared;

import dev.imker.core.Scheduler;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.server.live.LiveJob;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/**
 * Who shares something.
 *
 * @param jobs in memory
 */
public record SharedRuns(Scheduler scheduler, Map<JobId, LiveJob> jobs) {
  /** How the scopes begin that several jobs of a user name the same. */
  private static final String NAMED = "s-";

  /** Whether a run goes on. Programs outside of the pool do until somebody says otherwise. */
  boolean isOpen(String lease) {
    return ProgramMember.of(lease).isPresent() || scheduler.view().isOpen(Lease.parse(lease));
  }

  /** The scope of what all tasks of a job share. */
  public static String scope(JobId job) {
    return Long.toString(job.value());
  }

  /** The scope that a user's jobs and programs have named the same. */
  public static String scope(String user, String named) {
    return NAMED + HexFormat.of().formatHex(user.getBytes(StandardCharsets.UTF_8)) + "-" + named;
  }

  /** Whether several jobs may have it. */
  public static boolean isNamed(String scope) {
    return scope.startsWith(NAMED);
  }

  /** The user of a scope; empty if its job is not in memory. */
  String owner(String scope) {
    if (isNamed(scope)) {
      String hex = scope.substring(NAMED.length(), scope.indexOf('-', NAMED.length()));
      return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
    }
    LiveJob job = jobs.get(new JobId(Long.parseLong(scope)));
    return job == null ? "" : job.user();
  }
}
