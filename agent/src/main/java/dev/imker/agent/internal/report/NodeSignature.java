package dev.imker.agent.internal.report;

import java.security.PrivateKey;
import java.security.interfaces.EdECPrivateKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Signs with the key of the node. Every short task waits for a signature, and Bouncy Castle, which
 * has tables for it, needs a fifteenth of the time that Java itself takes. The signatures are the
 * same.
 */
final class NodeSignature {
  private final byte[] secret;
  private final CompletableFuture<byte[]> open;

  NodeSignature(PrivateKey key) {
    if (!(key instanceof EdECPrivateKey node)) {
      throw new IllegalArgumentException("the key of a node is one of Ed25519");
    }
    secret = node.getBytes().orElseThrow();
    // The tables take a quarter of a second to make, which the first task need not wait for.
    open =
        CompletableFuture.supplyAsync(
            () -> publicKey(secret),
            warmUp -> Thread.ofPlatform().daemon().name("imker-signature").start(warmUp));
  }

  private static byte[] publicKey(byte[] secret) {
    byte[] key = new byte[Ed25519.PUBLIC_KEY_SIZE];
    Ed25519.generatePublicKey(secret, 0, key, 0);
    return key;
  }

  byte[] of(byte[] text) {
    byte[] signature = new byte[Ed25519.SIGNATURE_SIZE];
    Ed25519.sign(secret, 0, publicKey(), 0, text, 0, text.length, signature, 0);
    return signature;
  }

  /** Computed here if that failed at first, as it may where memory was short. */
  private byte[] publicKey() {
    try {
      return open.join();
    } catch (CompletionException e) {
      return publicKey(secret);
    }
  }
}
