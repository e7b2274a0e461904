package dev.imker.server.internal.auth;

import dev.imker.model.ImkerException;
import dev.imker.model.InputException;
import dev.imker.model.change.SettingPut;
import dev.imker.store.PoolStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Secrets of users that their jobs name. The database has them encrypted, by the secret that all
 * servers of a pool share or, where one server keeps its pool in a folder, by a key in a file of
 * that folder. Whose secret it is and its name are encrypted along, so that none can be taken for
 * another one by changing the database.
 */
public final class JobSecrets {
  private static final String SETTING = "secret/";
  public static final String KEY_FILE = "secrets-key";
  private static final int MAX_OPENED = 1000;

  private final PoolStore store;
  private final List<String> keys;
  private final Map<String, String> opened = new ConcurrentHashMap<>();

  /**
   * @param poolSecret that all servers of the pool have
   * @param alone whether no other server has this pool
   */
  public JobSecrets(PoolStore store, Path dataFolder, Optional<String> poolSecret, boolean alone) {
    this.store = store;
    List<String> found = new ArrayList<>(poolSecret.stream().toList());
    Path file = dataFolder.resolve(KEY_FILE);
    if (found.isEmpty() && alone && PrivateFile.read(file).isEmpty()) {
      PrivateFile.write(file, Secrets.random() + "\n");
    }
    PrivateFile.read(file).ifPresent(found::add);
    this.keys = List.copyOf(found);
  }

  /** Whether there is a key that all servers of this pool have. */
  public boolean canKeep() {
    return !keys.isEmpty();
  }

  /** Names of a user's secrets, and when each was set. */
  public Map<String, Long> of(String user) {
    Map<String, Long> all = new TreeMap<>();
    String prefix = SETTING + user + "/";
    store
        .settings(prefix)
        .forEach(
            (key, text) -> {
              if (!text.isEmpty()) {
                all.put(key.substring(prefix.length()), Long.parseLong(text.split(" ", 2)[0]));
              }
            });
    return all;
  }

  public static boolean has(PoolStore store, String user, String name) {
    return store.setting(SETTING + user + "/" + name).filter(text -> !text.isEmpty()).isPresent();
  }

  /** Whether anybody has one. */
  public static boolean any(PoolStore store) {
    return store.settings(SETTING).values().stream().anyMatch(text -> !text.isEmpty());
  }

  /**
   * @throws ImkerException if there is no key that all servers of this pool have
   */
  public SettingPut put(String user, String name, String value, long nowMillis) {
    if (keys.isEmpty()) {
      throw new ImkerException(
          "This pool cannot store secrets: its servers share no key to encrypt them with."
              + " Set IMKER_SECRET for all of them.");
    }
    String sealed = new SecretBox(keys.getFirst()).seal(title(user, name) + value);
    return new SettingPut(SETTING + user + "/" + name, nowMillis + " " + sealed);
  }

  public static SettingPut remove(String user, String name) {
    return new SettingPut(SETTING + user + "/" + name, "");
  }

  /**
   * The value; empty if there is no such secret.
   *
   * @throws InputException if it cannot be decrypted: trying again does not help
   */
  public Optional<String> find(String user, String name) {
    return store
        .setting(SETTING + user + "/" + name)
        .filter(text -> !text.isEmpty())
        .map(text -> open(user, name, text.split(" ", 2)[1]));
  }

  private String open(String user, String name, String sealed) {
    String title = title(user, name);
    String text = opened.get(sealed);
    if (text == null) {
      text = decrypt(name, sealed);
      if (opened.size() >= MAX_OPENED) {
        opened.clear();
      }
      opened.put(sealed, text);
    }
    if (!text.startsWith(title)) {
      throw new InputException("The secret '" + name + "' is damaged; set it again.");
    }
    return text.substring(title.length());
  }

  private String decrypt(String name, String sealed) {
    for (String key : keys) {
      try {
        return new SecretBox(key).open(sealed);
      } catch (ImkerException e) {
        // perhaps by the other
      }
    }
    throw new InputException(
        "The secret '%s' was encrypted with a key that this server does not have (IMKER_SECRET, pool-secret, %s); set it again."
            .formatted(name, KEY_FILE));
  }

  private static String title(String user, String name) {
    return user + "/" + name + "\n";
  }
}
