package dev.imker.server;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keys of agents in tests: the same word always stands for the same key. */
final class TestKeys {
  private static final Map<String, KeyPair> KEYS = new ConcurrentHashMap<>();

  private TestKeys() {}

  static KeyPair of(String word) {
    return KEYS.computeIfAbsent(word, _ -> fresh());
  }

  private static KeyPair fresh() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
