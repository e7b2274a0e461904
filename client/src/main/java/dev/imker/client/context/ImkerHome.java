package dev.imker.client.context;

import dev.imker.model.account.UserHome;
import java.nio.file.Path;
import java.util.Map;

/** The folder of this user's Imker: {@code $IMKER_HOME}, else {@code ~/.imker}. */
public record ImkerHome(Path folder) {
  public static ImkerHome of(Map<String, String> environment) {
    String set = environment.get("IMKER_HOME");
    Path folder =
        set != null && !set.isBlank() ? Path.of(set) : UserHome.of(environment).resolve(".imker");
    return new ImkerHome(folder.toAbsolutePath().normalize());
  }

  /** Where a server keeps its data unless told otherwise. */
  public Path data() {
    return folder.resolve("data");
  }

  /** Where agents keep their work folders and cache unless told otherwise. */
  public Path agent() {
    return folder.resolve("agent");
  }

  /** How to reach the pool that was started here last. */
  public Path contextFile() {
    return folder.resolve("context.json");
  }
}
