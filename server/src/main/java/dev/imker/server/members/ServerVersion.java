package dev.imker.server.members;

/** The version of this software, from its jar. */
public final class ServerVersion {
  public static final String TEXT = text();

  private ServerVersion() {}

  private static String text() {
    String version = ServerVersion.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
