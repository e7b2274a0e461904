package dev.imker.agent;

import dev.imker.agent.internal.update.Updates;
import java.io.IOException;
import java.nio.file.Path;

/** Versions of the software that an agent fetched from its server. */
public final class AgentUpdates {
  private AgentUpdates() {}

  /** The location of a version. */
  public static Path jar(Path dataFolder, String build) {
    return new Updates(dataFolder).jar(build);
  }

  /** Records that a version did not start; it is not fetched again. */
  public static void markBad(Path dataFolder, String build) throws IOException {
    new Updates(dataFolder).markBad(build);
  }
}
