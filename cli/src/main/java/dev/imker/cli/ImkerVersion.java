package dev.imker.cli;

import dev.imker.model.code.ReleaseCommit;
import java.util.List;
import picocli.CommandLine.IVersionProvider;

/** The version of this build and the commit it was made from, out of the jar's manifest. */
final class ImkerVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return lines().toArray(String[]::new);
  }

  static List<String> lines() {
    return List.of("imker " + text(), "java " + Runtime.version());
  }

  private static String text() {
    String version = ImkerVersion.class.getPackage().getImplementationVersion();
    if (version == null) {
      return "development";
    }
    String commit = ReleaseCommit.OWN;
    return commit.isEmpty() ? version : version + " (" + commit + ")";
  }
}
