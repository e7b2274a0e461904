package dev.imker.model.account;

import java.nio.file.Path;
import java.util.Map;

/**
 * The home directory of the user: {@code $HOME}, as in shells and our scripts, otherwise the one
 * that Java finds in the user database (on Windows always).
 */
public final class UserHome {
  private UserHome() {}

  public static Path of(Map<String, String> environment) {
    String set = environment.getOrDefault("HOME", "");
    boolean heeded = !set.isBlank() && !System.getProperty("os.name").startsWith("Windows");
    return Path.of(heeded ? set : System.getProperty("user.home"));
  }
}
