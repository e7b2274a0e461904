package dev.imker.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, from the jar's manifest. */
final class ImkerVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"imker " + text(), "java " + Runtime.version()};
  }

  static String text() {
    String version = ImkerVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
