package dev.imker.server.internal.library;

import dev.imker.model.BlobId;
import java.util.List;

/**
 * One version of a task library.
 *
 * @param sha256 of the jar
 * @param signature Ed25519 in base64, of what {@link dev.imker.model.job.LibrarySeal} says; empty
 *     if nobody signed it
 * @param actions names of the classes in it that are actions
 */
public record LibraryVersion(
    String user,
    String name,
    String version,
    String sha256,
    long size,
    String signature,
    long uploadedMillis,
    List<String> actions) {
  public LibraryVersion {
    actions = List.copyOf(actions);
  }

  public BlobId blob() {
    return new BlobId(sha256);
  }
}
