package dev.imker.server.internal.auth;

import dev.imker.store.PoolStore;
import java.nio.file.Path;

/**
 * The admin token and the join secret of a pool. The store holds their hashes, files that only the
 * owner may read hold the words themselves, so that they can be shown again. A word whose file is
 * gone or does not match its hash is replaced by a new one.
 */
public final class PoolSecrets {
  private static final String ADMIN = "admin-token";
  private static final String JOIN = "join-secret";

  private final String adminToken;
  private final String joinSecret;
  private final String adminHash;
  private final String joinHash;

  private PoolSecrets(String adminToken, String joinSecret) {
    this.adminToken = adminToken;
    this.joinSecret = joinSecret;
    adminHash = Secrets.hash(adminToken);
    joinHash = Secrets.hash(joinSecret);
  }

  public static PoolSecrets open(Path dataFolder, PoolStore store) {
    return new PoolSecrets(
        word(dataFolder, store, ADMIN, "imker-admin-"), word(dataFolder, store, JOIN, ""));
  }

  /** Makes the words that a folder does not have, for a pool that does not know any yet. */
  public static void makeMissing(Path dataFolder) {
    makeMissing(dataFolder.resolve(ADMIN), "imker-admin-");
    makeMissing(dataFolder.resolve(JOIN), "");
  }

  private static void makeMissing(Path file, String prefix) {
    if (PrivateFile.read(file).isEmpty()) {
      PrivateFile.write(file, prefix + Secrets.random() + "\n");
    }
  }

  /** Makes the words of a folder those of the pool. */
  public static void accept(Path dataFolder, PoolStore store) {
    for (String name : new String[] {ADMIN, JOIN}) {
      String hash = Secrets.hash(PrivateFile.read(dataFolder.resolve(name)).orElseThrow());
      if (!store.setting(name + ".sha256").orElse("").equals(hash)) {
        store.putSetting(name + ".sha256", hash);
      }
    }
  }

  public String adminToken() {
    return adminToken;
  }

  public String joinSecret() {
    return joinSecret;
  }

  boolean isAdminToken(String word) {
    return Secrets.matches(adminHash, word);
  }

  boolean isJoinSecret(String word) {
    return Secrets.matches(joinHash, word);
  }

  private static String word(Path dataFolder, PoolStore store, String name, String prefix) {
    Path file = dataFolder.resolve(name);
    String hash = store.setting(name + ".sha256").orElse("");
    return PrivateFile.read(file)
        .filter(word -> Secrets.matches(hash, word))
        .orElseGet(() -> fresh(file, store, name, prefix));
  }

  private static String fresh(Path file, PoolStore store, String name, String prefix) {
    String word = prefix + Secrets.random();
    PrivateFile.write(file, word + "\n");
    store.putSetting(name + ".sha256", Secrets.hash(word));
    return word;
  }
}
