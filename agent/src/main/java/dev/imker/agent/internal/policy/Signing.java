package dev.imker.agent.internal.policy;

import java.security.PublicKey;
import java.util.List;

/** Whether jobs must be signed, and by whose keys (Ed25519). */
record Signing(boolean needed, List<PublicKey> keys) {
  public static final Signing NOT_NEEDED = new Signing(false, List.of());

  public Signing {
    keys = List.copyOf(keys);
  }
}
