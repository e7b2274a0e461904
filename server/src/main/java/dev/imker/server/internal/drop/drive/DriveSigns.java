package dev.imker.server.internal.drop.drive;

import com.google.api.client.util.Data;
import com.google.api.services.drive.model.File;
import dev.imker.server.internal.drop.place.SignsOfLife;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Signs of life of the servers that use a folder on Drive: each changes a property of its own on
 * the folder, which people do not see. Versions that gave no signs are never lost.
 */
final class DriveSigns {
  private static final String ALIVE = "alive-";

  private final DriveFiles files;
  private final String folder;
  private final String own;
  private final long everyMillis;
  private final SignsOfLife signs;
  private long exchangedNanos;
  private volatile boolean given;

  DriveSigns(DriveFiles files, String folder, String server, long lostMillis) {
    this.files = files;
    this.folder = folder;
    this.own = ALIVE + server;
    this.everyMillis = SignsOfLife.everyMillis(lostMillis);
    this.signs = new SignsOfLife(lostMillis);
  }

  /** Gives a sign if it is time to; returns the servers that are gone. */
  List<String> exchange() throws IOException {
    long now = System.nanoTime();
    if (given && now - exchangedNanos < TimeUnit.MILLISECONDS.toNanos(everyMillis)) {
      return List.of();
    }
    give();
    given = true;
    exchangedNanos = now;
    return signs.lost(others()).stream().map(key -> key.substring(ALIVE.length())).toList();
  }

  long everyMillis() {
    return everyMillis;
  }

  /** Gives another one, if there was one. */
  void giveAgain() throws IOException {
    if (given) {
      give();
    }
  }

  private void give() throws IOException {
    files.mark(folder, Map.of(own, UUID.randomUUID().toString()));
  }

  private Map<String, String> others() throws IOException {
    Map<String, String> others = new HashMap<>();
    files
        .get(folder)
        .map(File::getAppProperties)
        .ifPresent(
            properties ->
                properties.forEach(
                    (key, value) -> {
                      if (key.startsWith(ALIVE) && !key.equals(own)) {
                        others.put(key, value);
                      }
                    }));
    return others;
  }

  /** Nothing is left of a server. */
  void forget(String server) throws IOException {
    files.mark(folder, Map.of(ALIVE + server, Data.NULL_STRING));
  }
}
