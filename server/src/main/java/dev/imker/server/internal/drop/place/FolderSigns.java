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
  private static final long MAX_EVERY_MILLIS = 5_000;

  private final Path servers;
  private final String own;
  private final long everyMillis;
  private final SignsOfLife signs;
  private long givenNanos;
  private volatile boolean given;

  /**
   * @param servers has a folder for each of them
   */
  FolderSigns(Path servers, String own, long lostMillis) {
    this.servers = servers;
    this.own = own;
    this.everyMillis = Math.min(MAX_EVERY_MILLIS, SignsOfLife.everyMillis(lostMillis));
    this.signs = new SignsOfLife(lostMillis);
  }

  /** Whether this server has never given a sign here. */
  boolean isFirst() {
    return !given && !Files.exists(servers.resolve(own).resolve(SIGN));
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

  synchronized void give() throws IOException {
    long now = System.nanoTime();
    if (!given || now - givenNanos > TimeUnit.MILLISECONDS.toNanos(everyMillis) / 2) {
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
