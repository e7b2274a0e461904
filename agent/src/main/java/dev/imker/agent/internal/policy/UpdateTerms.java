package dev.imker.agent.internal.policy;

import java.security.PublicKey;
import java.util.Optional;

/**
 * Which software of the server an agent changes to.
 *
 * @param wanted whether to any
 * @param build the only one, by the SHA-256 of its jar; empty means any
 * @param releaseKey who must have signed it, besides the pool
 */
public record UpdateTerms(boolean wanted, String build, Optional<PublicKey> releaseKey) {
  public static final UpdateTerms FOLLOW = new UpdateTerms(true, "", Optional.empty());
}
