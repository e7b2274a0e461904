package dev.imker.model.job;

import dev.imker.model.BlobId;

/**
 * The signature of a version of a task library (Ed25519, Base64): somebody stands for this jar
 * under this name.
 */
public record LibrarySeal(String name, String version, BlobId jar, String signature) {
  public String text() {
    return text(name, version, jar.sha256());
  }

  /** What a signature of a library is a signature of. */
  public static String text(String name, String version, String sha256) {
    return "imker library " + name + " " + version + " " + sha256;
  }
}
