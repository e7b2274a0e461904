package dev.imker.model.job;

import dev.imker.model.BlobId;

/**
 * The signature of a version of a task library (Ed25519, Base64): confirms that this jar may be
 * used under this name.
 */
public record LibrarySeal(String name, String version, BlobId jar, String signature) {
  public String text() {
    return text(name, version, jar.sha256());
  }

  /** The text that is signed. */
  public static String text(String name, String version, String sha256) {
    return "imker library " + name + " " + version + " " + sha256;
  }
}
