package dev.imker.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
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
    String commit = commit();
    return commit.isEmpty() ? version : version + " (" + commit + ")";
  }

  /** Empty unless this is a release. */
  private static String commit() {
    try (InputStream in = ImkerVersion.class.getResourceAsStream("/" + JarFile.MANIFEST_NAME)) {
      String commit =
          in == null
              ? null
              : new Manifest(in).getMainAttributes().getValue("Implementation-Commit");
      return commit == null ? "" : commit;
    } catch (IOException e) {
      return "";
    }
  }
}
