package dev.imker.agent.internal.host;

import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings for starting hosts.
 *
 * @param folder where they keep their files; emptied by every agent at its start
 * @param environment of every host
 * @param enclosure puts a host under the owner's terms
 * @param most hosts maximum number of hosts, including idle ones
 */
public record HostSettings(
    ProcessExecutor processes,
    ProcessPriority priority,
    Path folder,
    HostEnvironment environment,
    Enclosing enclosure,
    int most) {
  /** Makes what a host finds in its environment. */
  public interface HostEnvironment {
    /**
     * @param number of the host
     * @param gpus devices that its tasks were given
     */
    Map<String, String> of(long number, List<String> gpus);
  }

  /** Shuts a host in. */
  public interface Enclosing {
    /**
     * @param mounts what the host sees in its folder and cannot change, by its path there
     * @param user whom it runs as
     * @throws dev.imker.agent.internal.system.StartFailedException if that cannot be
     */
    ProcessSpec enclose(
        ProcessSpec spec,
        Path temporary,
        boolean network,
        Map<String, Path> mounts,
        Optional<TaskUser> user);

    /** Whether it can mount files. */
    boolean mounts();

    /** Whom a host runs as, if not as the agent's own user. */
    Optional<TaskUser> user() throws IOException;

    /** Whether hosts run as somebody else than the agent's own user. */
    boolean hasUsers();
  }
}
