package dev.imker.model.code;

import java.io.IOException;
import java.io.InputStream;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** The commit from which this software was released; the same in every jar of a release. */
public final class ReleaseCommit {
  /** Empty unless this is a release. */
  public static final String OWN = read();

  private static final String ATTRIBUTE = "Implementation-Commit";

  private ReleaseCommit() {}

  private static String read() {
    try (InputStream in = ReleaseCommit.class.getResourceAsStream("/" + JarFile.MANIFEST_NAME)) {
      String commit = in == null ? null : new Manifest(in).getMainAttributes().getValue(ATTRIBUTE);
      return commit == null ? "" : commit;
    } catch (IOException e) {
      return "";
    }
  }
}
