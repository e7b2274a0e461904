package dev.imker.server.internal.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Passwords as argon2id hashes in the usual text form, so that the parameters can grow without
 * making older hashes void. Each check takes 19 MB and some hundredths of a second; only a few run
 * at a time.
 */
final class Passwords {
  private static final int MEMORY_KIB = 19 * 1024;
  private static final int PASSES = 2;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int MIN_CHARS = 8;
  private static final int MAX_CHARS = 200;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Semaphore ROOM = new Semaphore(4);

  /** Stands for the hash of an account that is not there: checking takes as long. */
  private static final String NOBODY = hash(new byte[SALT_BYTES], "no such account");

  private Passwords() {}

  static String hash(String password) {
    if (password.length() < MIN_CHARS || password.length() > MAX_CHARS) {
      throw new AccountException(
          "password", "A password must have %d to %d characters.".formatted(MIN_CHARS, MAX_CHARS));
    }
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    return hash(salt, password);
  }

  private static String hash(byte[] salt, String password) {
    return "$argon2id$v=19$m=%d,t=%d,p=1$%s$%s"
        .formatted(
            MEMORY_KIB, PASSES, base64(salt), base64(compute(salt, password, MEMORY_KIB, PASSES)));
  }

  /** Whether a password is the one; an empty hash matches nothing, as slowly as any other. */
  static boolean matches(String hash, String password) {
    boolean known = !hash.isEmpty();
    String[] parts = (known ? hash : NOBODY).split("\\$", -1);
    String[] cost = parts[3].split("[=,]", -1);
    byte[] salt = Base64.getDecoder().decode(parts[4]);
    byte[] expected = Base64.getDecoder().decode(parts[5]);
    String checked = password.length() > MAX_CHARS ? "" : password;
    byte[] actual = compute(salt, checked, Integer.parseInt(cost[1]), Integer.parseInt(cost[3]));
    return MessageDigest.isEqual(expected, actual) && known;
  }

  private static byte[] compute(byte[] salt, String password, int memoryKib, int passes) {
    ROOM.acquireUninterruptibly();
    try {
      Argon2BytesGenerator generator = new Argon2BytesGenerator();
      generator.init(
          new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
              .withVersion(Argon2Parameters.ARGON2_VERSION_13)
              .withMemoryAsKB(memoryKib)
              .withIterations(passes)
              .withParallelism(1)
              .withSalt(salt)
              .build());
      byte[] hash = new byte[HASH_BYTES];
      generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), hash);
      return hash;
    } finally {
      ROOM.release();
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }
}
