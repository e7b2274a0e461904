package dev.imker.client.context;

import dev.imker.model.account.UserHome;
import java.nio.file.Path;
import java.util.Map;

/** Imker's folder of this user: {@code $IMKER_HOME}, otherwise {@code ~/.imker}. */
public record ImkerHome(Path folder) {
  public static ImkerHome of(Map<String, String> environment) {
    String set = environment.get("IMKER_HOME");
    Path folder =
        set != null && !set.isBlank() ? Path.of(set) : UserHome.of(environment).resolve(".imker");
    return new ImkerHome(folder.toAbsolutePath().normalize());
  }

  /** The default data folder of a server. */
  public Path data() {
    return folder.resolve("data");
  }

  /** The default folder for the work folders and caches of agents. */
  public Path agent() {
    return folder.resolve("agent");
  }

  /** How to reach the pool that was started here last. */
  public Path contextFile() {
    return folder.resolve("context.json");
  }
}
