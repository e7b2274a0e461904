package dev.imker.server.drop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Signs of life of the servers that use a folder: a file of each that changes while it is there.
 * Whether one is lost is told by how long it has not changed before our eyes, so that clocks of
 * different machines need not agree. Versions that gave no signs are never lost.
 */
final class FolderSigns {
  private static final String SIGN = "alive";
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The sign of a server, and since when it has been the same. */
  private record Seen(String sign, long sinceNanos) {}

  private final Path servers;
  private final String own;
  private final long lostNanos;
  private final Map<Path, Seen> seen = new HashMap<>();
  private long givenNanos;
  private boolean given;

  /**
   * @param servers has a folder for each of them
   */
  FolderSigns(Path servers, String own, long lostMillis) {
    this.servers = servers;
    this.own = own;
    this.lostNanos = TimeUnit.MILLISECONDS.toNanos(lostMillis);
  }

  /** Whether this server has never given a sign here. */
  boolean isFirst() {
    return !given && !Files.exists(servers.resolve(own).resolve(SIGN));
  }

  void give() throws IOException {
    long now = System.nanoTime();
    if (!given || now - givenNanos > EVERY_NANOS) {
      FolderTree.replace(
          servers.resolve(own).resolve(SIGN),
          UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
      given = true;
      givenNanos = now;
    }
  }

  /** Folders of servers that are gone. */
  List<Path> lost() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path server : FolderTree.entries(servers)) {
      if (!server.getFileName().toString().equals(own) && isLost(server)) {
        all.add(server);
      }
    }
    return all;
  }

  private boolean isLost(Path server) throws IOException {
    String sign;
    try {
      sign = Files.readString(server.resolve(SIGN));
    } catch (NoSuchFileException e) {
      return false;
    }
    long now = System.nanoTime();
    Seen before = seen.get(server);
    if (before == null || !before.sign.equals(sign)) {
      seen.put(server, new Seen(sign, now));
      return false;
    }
    return now - before.sinceNanos > lostNanos;
  }
}
