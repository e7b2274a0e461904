package dev.imker.model.account;

import java.nio.file.Path;
import java.util.Map;

/**
 * The home of the user: {@code $HOME}, as shells and our scripts have it, else what Java finds in
 * the list of users (on Windows always).
 */
public final class UserHome {
  private UserHome() {}

  public static Path of(Map<String, String> environment) {
    String set = environment.getOrDefault("HOME", "");
    boolean heeded = !set.isBlank() && !System.getProperty("os.name").startsWith("Windows");
    return Path.of(heeded ? set : System.getProperty("user.home"));
  }
}
