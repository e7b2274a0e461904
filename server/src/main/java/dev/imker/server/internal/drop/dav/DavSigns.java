package dev.imker.server.internal.drop.dav;

import dev.imker.server.internal.drop.place.SignsOfLife;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Signs of life of the servers that use a folder: a file of each that changes while it is there.
 */
final class DavSigns {
  private static final String SIGN = "alive";

  /** Signs are given so many times before a server that stopped is taken for lost. */
  private static final int SIGNS = 15;

  private final DavFiles files;
  private final String servers;
  private final String own;
  private final long everyNanos;
  private final SignsOfLife signs;
  private long givenNanos;
  private boolean given;

  /**
   * @param servers has a folder for each of them
   */
  DavSigns(DavFiles files, String servers, String own, long lostMillis) {
    this.files = files;
    this.servers = servers;
    this.own = own;
    this.everyNanos = TimeUnit.MILLISECONDS.toNanos(lostMillis) / SIGNS;
    this.signs = new SignsOfLife(lostMillis);
  }

  /** Gives a sign if it is time to; returns the folders of servers that are gone. */
  List<String> exchange() throws IOException {
    long now = System.nanoTime();
    if (given && now - givenNanos < everyNanos) {
      return List.of();
    }
    files.write(
        servers + "/" + own + "/" + SIGN,
        UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
    given = true;
    givenNanos = now;
    Map<String, String> others = new HashMap<>();
    for (DavEntry server : files.entries(servers)) {
      if (server.folder() && !server.name().equals(own)) {
        Optional<DavEntry> sign = files.stat(server.path() + "/" + SIGN);
        if (sign.isPresent()) {
          others.put(server.path(), text(sign.get()));
        }
      }
    }
    return signs.lost(others);
  }

  private String text(DavEntry sign) throws IOException {
    return new String(files.read(sign.path()), StandardCharsets.UTF_8);
  }
}
