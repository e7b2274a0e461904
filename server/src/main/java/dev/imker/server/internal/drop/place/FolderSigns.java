package dev.imker.server.internal.drop.place;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Signs of life of the servers that use a folder: a file of each that changes while it is there.
 * Versions that gave no signs are never lost.
 */
final class FolderSigns {
  private static final String SIGN = "alive";
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Path servers;
  private final String own;
  private final SignsOfLife signs;
  private long givenNanos;
  private boolean given;

  /**
   * @param servers has a folder for each of them
   */
  FolderSigns(Path servers, String own, long lostMillis) {
    this.servers = servers;
    this.own = own;
    this.signs = new SignsOfLife(lostMillis);
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
    Map<String, String> others = new HashMap<>();
    for (Path server : FolderTree.entries(servers)) {
      String name = server.getFileName().toString();
      if (!name.equals(own)) {
        sign(server).ifPresent(sign -> others.put(name, sign));
      }
    }
    return signs.lost(others).stream().map(servers::resolve).toList();
  }

  /** Empty for versions that gave none. */
  private static Optional<String> sign(Path server) throws IOException {
    try {
      return Optional.of(Files.readString(server.resolve(SIGN)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
