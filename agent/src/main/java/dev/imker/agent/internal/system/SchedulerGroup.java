package dev.imker.agent.internal.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The automatic scheduler group of a session. Where Linux has them switched on, every session gets
 * an equal share of the CPU and a process's own priority counts only within its session; so the
 * session as a whole is put on the lowest level. The kernel allows an unprivileged user few such
 * changes a second, hence this is done only for tasks that last.
 */
public final class SchedulerGroup {
  private static final boolean ENABLED = enabled();

  private SchedulerGroup() {}

  /**
   * False if it should be tried again later. A process that does not lead a session is left alone:
   * its group would be that of whoever started it.
   */
  public static boolean calm(int session) {
    if (!ENABLED || !ProcFs.leadsSession(session)) {
      return true;
    }
    Path group = Path.of("/proc/" + session + "/autogroup");
    try {
      Files.writeString(group, "19", StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
      return true;
    } catch (IOException | RuntimeException e) {
      // "Try again", which Java turns into a RuntimeException of its own, or the process is gone.
      return !Files.exists(group);
    }
  }

  private static boolean enabled() {
    try {
      Path setting = Path.of("/proc/sys/kernel/sched_autogroup_enabled");
      return Files.readString(setting, StandardCharsets.US_ASCII).strip().equals("1");
    } catch (IOException e) {
      return false;
    }
  }
}
